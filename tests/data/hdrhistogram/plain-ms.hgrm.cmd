java -cp HdrHistogram-2.2.1.jar Record.java plain-ms.hgrm
# HdrHistogram 2.2.1 (Maven Central), OpenJDK, 2026-11-22, exit 0: 2,000 values in microseconds, printed in milliseconds
