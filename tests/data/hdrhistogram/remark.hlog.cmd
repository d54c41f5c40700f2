java -cp HdrHistogram-2.2.1.jar Record.java remark.hlog
# HdrHistogram 2.2.1 (Maven Central), OpenJDK, 2026-11-22, exit 0: the same, and a remark says so
