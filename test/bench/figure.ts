/** One measured figure beside its limit and its peer, as one line of JSON. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value must not exceed; null where only the ratio counts. */
  readonly bar: number | null;
  /** What the same work costs without us, measured in the same run; null where there is no such thing. */
  readonly peer: string | null;
  readonly peerValue: number | null;
  /** What value divided by peerValue must not exceed. */
  readonly ratioBar: number | null;
}

/** Prints the figure with its verdict and answers whether it holds. */
export function print(figure: Figure): boolean {
  const { name, value, unit, bar, peer, peerValue, ratioBar } = figure;
  const ratio = peerValue === null || peerValue === 0 ? null : value / peerValue;
  const ok = (bar === null || value <= bar) && (ratioBar === null || ratio === null || ratio <= ratioBar);
  const line = {
    name,
    value: round(value),
    unit,
    bar,
    ok,
    peer,
    peerValue: peerValue === null ? null : round(peerValue),
  };
  process.stdout.write(`${JSON.stringify({ ...line, ratio: ratio === null ? null : round(ratio), ratioBar })}\n`);
  return ok;
}

/** Prints a figure of which only some sides are there. */
export const said = (name: string, value: number, unit: string, beside: Partial<Figure> = {}): boolean =>
  print({ name, value, unit, bar: null, peer: null, peerValue: null, ratioBar: null, ...beside });

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Durations of repeated work in milliseconds, shortest first; `after` tidies up and is not counted. */
export async function repeated<T>(
  times: number,
  work: (i: number) => T,
  after: (made: Awaited<T>) => unknown = () => undefined,
): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    const made = await work(i);
    durations.push(performance.now() - start);
    await after(made);
  }
  return durations.sort((a, b) => a - b);
}

/** Two kinds of work in turns, so that what else the machine does meets both alike. */
export async function inTurns(
  times: number,
  mine: (i: number) => unknown,
  theirs: (i: number) => unknown,
): Promise<{ readonly mine: readonly number[]; readonly theirs: readonly number[] }> {
  const durations: { readonly mine: number[]; readonly theirs: number[] } = { mine: [], theirs: [] };
  for (let i = 0; i < times; i++) {
    durations.mine.push(await timed(() => mine(i)));
    durations.theirs.push(await timed(() => theirs(i)));
  }
  for (const list of Object.values(durations)) list.sort((a, b) => a - b);
  return durations;
}

/** The value below which this share of the sorted durations lies. */
export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

export const median = (sorted: readonly number[]): number => share(sorted, 0.5);

const round = (value: number): number => Math.round(value * 1000) / 1000;
