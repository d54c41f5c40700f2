java -cp HdrHistogram-2.2.1.jar Record.java tags.hlog
# HdrHistogram 2.2.1 (Maven Central), OpenJDK, 2026-11-22, exit 0: the second interval has the tag read, the third the tag write
