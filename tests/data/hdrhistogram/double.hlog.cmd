java -cp HdrHistogram-2.2.1.jar Record.java double.hlog
# HdrHistogram 2.2.1 (Maven Central), OpenJDK, 2026-11-22, exit 0: a DoubleHistogram of milliseconds
