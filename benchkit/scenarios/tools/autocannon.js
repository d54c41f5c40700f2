'use strict'
// autocannon with a count of every response: its own result keeps whole milliseconds only.
//
//   node autocannon.js AUTOCANNON COUNTS [autocannon's options] URL
//
// AUTOCANNON is the file of its command. The result, as of `autocannon -j -n`, goes to standard
// output. COUNTS gets a line for each second of sending, status and latency: latencies are
// microseconds of four significant digits. Where a request got no response, no status is written,
// as the responses alone would then say that all went well. In the folder BK_WORK, if that is set,
// load.start and load.end get the instants of both: Node itself takes a while to start.

const fs = require('fs')
const path = require('path')

const [command, file, ...words] = process.argv.slice(2)
const autocannon = require(command)
const options = autocannon.parseArguments(words)
// Without this mark it is a library, which prints nothing by itself.
options[Symbol.for('internal')] = false

const SECOND = 1000
const WIDTH = 1000 // statuses
const counts = [] // by second: Map from latency and status to count
const clock = process.hrtime.bigint
let origin = clock()
let started = Date.now()

function note (name) {
  const folder = process.env.BK_WORK
  if (folder) fs.writeFileSync(path.join(folder, name), String(Date.now() / 1000))
}

function rounded (milliseconds) {
  let step = 1
  const microseconds = Math.round(milliseconds * 1000)
  while (microseconds / step >= 10000) step *= 10
  return Math.round(microseconds / step) * step
}

function count (client, status, bytes, milliseconds) {
  const now = Number(clock() - origin) / 1e6
  const second = Math.max(0, Math.floor((now - milliseconds) / SECOND))
  const seen = counts[second] || (counts[second] = new Map())
  const key = rounded(milliseconds) * WIDTH + status
  seen.set(key, (seen.get(key) || 0) + 1)
}

function write (result) {
  const lost = result.errors > 0
  const lines = ['sent_ms,status,latency_us,count']
  counts.forEach((seen, second) => {
    const keys = Array.from(seen.keys()).sort((a, b) => a - b)
    for (const key of keys) {
      const status = lost ? '' : key % WIDTH
      lines.push([started + second * SECOND, status, Math.floor(key / WIDTH), seen.get(key)].join())
    }
  })
  fs.writeFileSync(file, lines.join('\n') + '\n')
}

const instance = autocannon(options, (error, result) => {
  if (error) {
    console.error(String(error.message || error))
    process.exit(1)
  }
  note('load.end')
  write(result)
  console.log(JSON.stringify(result))
})
instance.on('start', () => {
  origin = clock()
  started = Date.now()
  note('load.start')
})
instance.on('response', count)
