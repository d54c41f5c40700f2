// Runs autocannon through its programming interface and writes the JSON of the
// result to stdout and the table of the same run to stderr; from version 8 on the
// command line's -j leaves the table out. Needs autocannon on NODE_PATH.
//   node both.cjs '{"url": "http://127.0.0.1:8931/ok", "duration": 2}' ['{"renderLatencyTable": true}']
const autocannon = require("autocannon");
const [options, table = "{}"] = process.argv.slice(2);
const run = autocannon(JSON.parse(options), (error, result) => {
  if (error) throw error;
  process.stdout.write(JSON.stringify(result) + "\n");
});
autocannon.track(run, JSON.parse(table));
