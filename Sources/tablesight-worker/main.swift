print("tablesight-worker")
