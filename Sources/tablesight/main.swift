print("tablesight")
