/**
 * Where answers go. For people: plain lines on standard output, problems on standard error. With `--json`: one
 * object on standard output and nothing else there.
 */
export interface Output {
  readonly json: boolean;
  /** A line for people. */
  say(line: string): void;
  /** The one object for programs. */
  result(object: object): void;
  /** The same, when the text of the object is made by hand because it holds exact bodies. */
  resultText(json: string): void;
  problem(code: string, message: string): void;
  /** Something to know beside the answer, which it leaves as it is: on standard error, also with `--json`. */
  aside(message: string): void;
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createOutput(json: boolean, { out, err }: Streams): Output {
  const resultText = (text: string) => {
    if (json) out(`${text}\n`);
  };
  return {
    json,
    say: (line) => {
      if (!json) out(`${printable(line)}\n`);
    },
    result: (object) => resultText(JSON.stringify(object)),
    resultText,
    problem: (code, message) => {
      if (json) out(`${JSON.stringify({ error: { code, message } })}\n`);
      else err(`${printable(message)}\n`);
    },
    aside: (message) => err(`${printable(message)}\n`),
  };
}

/** Names and the service's texts must not steer the terminal: controls are shown, not obeyed. */
export function printable(line: string): string {
  return [...line].map((character) => (isControl(character) ? '\uFFFD' : character)).join('');
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0);
}
