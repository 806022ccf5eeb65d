/// The version in outcomes and in the output of `--version`.
public enum ProgramVersion {
    public static let current = "0.1.0"
}
