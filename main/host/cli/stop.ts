/** Exit codes of the command line; other programs rely on them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  needsUser: 3,
  unreachable: 4,
  workspace: 5,
  /** A fault of ours, so that it is never taken for one of the outcomes. Codes above it are those of a signal. */
  defect: 70,
} as const;
export type ExitCode = number;

/** Ends a verb early with an exit code and a sentence that names the thing, the rule and the next step. */
export class Stop extends Error {
  readonly exitCode: ExitCode;
  /** Short word for programs, beside the sentence for people. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
    this.code = code;
  }
}

export const usageStop = (message: string): Stop => new Stop(EXIT.usage, 'usage', message);
