java -cp HdrHistogram-2.2.1.jar Record.java empty.hlog
# HdrHistogram 2.2.1 (Maven Central), OpenJDK, 2026-11-22, exit 0: no interval
