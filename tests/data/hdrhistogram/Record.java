// Writes what a program that records its latencies with HdrHistogram leaves behind.
//
//   java -cp HdrHistogram-2.2.1.jar Record.java FILE    (the name says which)
import java.io.File;
import java.io.PrintStream;
import java.util.Random;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

public class Record {
    static final long START = 1_700_000_000_000L;
    static final Random random = new Random(7);

    static long latency() {  // microseconds, about 1 ms
        return 100 + (long) (-900 * Math.log(1 - random.nextDouble()));
    }

    static void write(HistogramLogWriter log, int second, EncodableHistogram histogram) {
        log.outputIntervalHistogram(second, second + 1, histogram, 1000.0);
    }

    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        if (name.endsWith(".hgrm")) {
            Histogram histogram = new Histogram(3600_000_000L, 3);
            for (int n = 0; n < (name.startsWith("empty") ? 0 : 2000); n++) histogram.recordValue(latency());
            histogram.outputPercentileDistribution(new PrintStream(new File(name)), 5, 1000.0);
            return;
        }
        HistogramLogWriter log = new HistogramLogWriter(new File(name));
        log.outputComment("[Logged with Record.java]");
        if (name.startsWith("remark")) log.outputComment("[Latencies in microseconds]");
        log.outputLogFormatVersion();
        log.outputStartTime(START);
        if (!name.startsWith("no-base")) {
            log.setBaseTime(START);
            log.outputBaseTime(START);
        }
        log.outputLegend();
        for (int second = 0; second < (name.startsWith("empty") ? 0 : 3); second++) {
            if (name.startsWith("double")) {
                DoubleHistogram histogram = new DoubleHistogram(1000_000, 3);
                for (int n = 0; n < 500; n++) histogram.recordValue(latency() / 1000.0);
                write(log, second, histogram);
                continue;
            }
            Histogram histogram = new Histogram(name.startsWith("wide") ? 5 : 3);
            for (int n = 0; n < 500; n++) histogram.recordValue(latency());
            if (name.startsWith("tags") && second > 0) histogram.setTag(second == 1 ? "read" : "write");
            write(log, second, histogram);
        }
        log.close();
    }
}
