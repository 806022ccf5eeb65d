/// The version that outcomes carry and `--version` prints.
public enum ProgramVersion {
    public static let current = "0.1.0"
}
