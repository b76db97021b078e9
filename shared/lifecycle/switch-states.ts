import type { AnyValues, Values } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import type { Row } from '../model/row.ts';
import type { UnknownWord } from '../model/scalars.ts';

/**
 * The switches of the parts of a campaign (document, "Ad items, keywords and video profile"; wire shapes, section 4).
 *
 *   ad group, profiles   enabled <--> disabled
 *   ad item              enabled <--> disabled, either --> deleted, for good
 *   keyword              enabled <--> paused,   either --> archived, for good
 */
type Switch = Readonly<Record<string, readonly string[]>>;
type Known<State> = Exclude<State, UnknownWord | null>;
type Of<State extends string | null> = Readonly<Record<Known<State>, readonly Known<State>[]>>;

const ON_OFF = { enabled: ['disabled'], disabled: ['enabled'] } as const;

export const PART_STATE_TRANSITIONS = {
  adGroup: ON_OFF satisfies Of<Values<'adGroup'>['status']>,
  adItem: {
    enabled: ['disabled', 'deleted'],
    disabled: ['enabled', 'deleted'],
    deleted: [],
  } satisfies Of<Values<'adItem'>['status']>,
  keyword: {
    enabled: ['paused', 'archived'],
    paused: ['enabled', 'archived'],
    archived: [],
  } satisfies Of<Values<'keyword'>['state']>,
  sbaProfile: ON_OFF satisfies Of<Values<'sbaProfile'>['status']>,
  videoProfile: ON_OFF satisfies Of<Values<'videoProfile'>['status']>,
} as const;

const TABLES: Readonly<Partial<Record<Kind, Switch>>> = PART_STATE_TRANSITIONS;

/** Whether the service holds the row in a state it never leaves: it is history there, and nothing of it can change. */
export function isTerminal(row: Row): boolean {
  const { status, state }: AnyValues = row.base ?? row.values;
  const word = row.kind === 'keyword' ? state : status;
  return typeof word === 'string' && TABLES[row.kind]?.[word]?.length === 0;
}
