import { dollars, type Explanation, percent, sentences, step } from './explanation.ts';
import { clamp, rounded } from './statistics.ts';

/** Bid multipliers can only raise a bid, so the lowest wanted bid becomes the base. In hundredths of a percent. */
const STEP = 2500;

export interface WantedMultiplier {
  readonly key: string;
  /** The bid that the clicks at this place justify, in cents. */
  readonly wanted: number;
  readonly multiplier: number;
}

export function wantedMultipliers(places: readonly { readonly key: string; readonly wanted: number }[]): {
  readonly base: number;
  readonly multipliers: readonly WantedMultiplier[];
} {
  const base = Math.min(...places.map(({ wanted }) => wanted));
  return {
    base,
    multipliers: places.map(({ key, wanted }) => ({
      key,
      wanted,
      multiplier: Math.floor(rounded((wanted / base - 1) * 10_000)),
    })),
  };
}

export interface MultiplierNumbers {
  readonly key: string;
  readonly current: number;
  readonly suggested: number;
  readonly wantedMultiplier: number;
  readonly wanted: number;
  readonly base: number;
  readonly clicks: number;
  readonly orders: number;
  readonly perClick: number;
}

/** Moves at most 25 points towards the wanted value, within the limit of the service. */
export const stepMultiplier = (current: number, wanted: number, max: number): number =>
  clamp(clamp(wanted, current - STEP, current + STEP), 0, max);

export function explainMultiplier(of: MultiplierNumbers): Explanation {
  const points = (hundredths: number): string => percent(hundredths / 10_000);
  return {
    summary: sentences(
      `Suggested multiplier ${points(of.suggested)} for ${of.key}, now ${points(of.current)}.`,
      `Sales per click there are ${dollars(of.perClick)}, so the bid at target is ${dollars(of.wanted)}.`,
      `The lowest bid at target of all places is ${dollars(of.base)}.`,
    ),
    steps: [
      step('Multiplier at target', `${dollars(of.wanted)} ÷ ${dollars(of.base)} - 1`, points(of.wantedMultiplier)),
      step(
        'Suggested multiplier',
        `at most 25 percentage points up or down from ${points(of.current)}`,
        points(of.suggested),
      ),
    ],
  };
}
