import { limits } from './limits.ts';
import { ONE_OF_EACH, type OtherWords } from './wire/other-words.ts';

/** Report files: JSON, or CSV, plain or packed. The first row that has a column decides that the column exists. */
const fileFormats = ['json', 'csv', 'gzip', 'zip', 'zip-parts', 'zip-mixed'] as const;
export type FileFormat = (typeof fileFormats)[number];

/**
 * Ways in which a deployment may differ from the default one and still follow the document. Each quirk is switched on
 * by name (`--quirks timestamps=s,prefix=ACME`), so that a client can be held against every one of them.
 */
export interface Quirks {
  /** "Authentication": samples use seconds or milliseconds. `both` tells them apart by the number of digits. */
  readonly timestamps: 'both' | 's' | 'ms';
  /** First part of the header names; the document writes SVC in its place. */
  readonly headerPrefix: string;
  /** Path that every call of the API begins with, such as `/partner`; empty for none. */
  readonly basePath: string;
  /** How requests are signed: RSA with PKCS#1 v1.5 padding (RS) or PSS padding (PS). The document leaves it open. */
  readonly signature: 'RS256' | 'RS512' | 'PS256';
  /** How far the clock of the service is ahead of the machine's, in seconds; negative for behind. */
  readonly clockAheadSeconds: number;
  /** Calls beyond the document that it does not have, as `PUT /api/v1/campaigns`. */
  readonly lacks: readonly string[];
  /** Whether timestamps are judged, and responses dated, by the sandbox's own clock instead of the machine's. */
  readonly ownClock: boolean;
  /** "Upload logo": the document spells the name of the JSON part in two ways. */
  readonly logoPart: 'either' | 'SBABaseProfileRequest' | 'sbaBaseProfileRequest';
  /** How ids are written: as the document's samples have them, beyond 2^53, as text, or both at once. */
  readonly ids: 'small' | 'large' | 'text' | 'large-text';
  /** How member names are written; "adgroupId" and "adGroupId" both stand in the document. */
  readonly keys: 'document' | 'lower' | 'upper' | 'pascal';
  /** Whether enumerated words come in capitals ("AVAILABLE"). */
  readonly capitals: boolean;
  /** Whether a list of one element comes as that element. */
  readonly bare: boolean;
  /** Elements of a page, for services whose lists have pages; null for whole lists. */
  readonly pageSize: number | null;
  /** What goes with "Rate limit exceeded": seconds to wait, the moment as a date, or nothing. */
  readonly retryAfter: 'seconds' | 'date' | 'none';
  /** Whether answers and refusals name the hourly limit. */
  readonly namesLimit: boolean;
  /** "returns a download URL or data": the form in which every report comes, whatever is asked for. */
  readonly reportAnswer: 'as-asked' | (typeof reportAnswers)[number];
  /** How the file of every report is packed, whatever is asked for. `zip-parts` has several files, `zip-mixed` one with other columns too. */
  readonly reportFile: 'as-asked' | FileFormat;
  /** How long a report takes that is made as a job. */
  readonly reportMinutes: number;
  /** "and others": one more type of report; empty for none. */
  readonly reportType: string;
  /** A word that no document has: jobs are called so while they are made, and rows have a metric of this name. Empty for none. */
  readonly reportWord: string;
  /** Words of enumerations that the document does not name. */
  readonly words: OtherWords;
}

const reportAnswers = ['rows', 'address', 'job'] as const;

export const NO_QUIRKS: Quirks = {
  timestamps: 'both',
  headerPrefix: 'SVC',
  basePath: '',
  signature: 'RS256',
  clockAheadSeconds: 0,
  lacks: [],
  ownClock: false,
  logoPart: 'either',
  ids: 'small',
  keys: 'document',
  capitals: false,
  bare: false,
  pageSize: null,
  retryAfter: 'seconds',
  namesLimit: true,
  reportAnswer: 'as-asked',
  reportFile: 'as-asked',
  reportMinutes: limits.snapshotMinutes,
  reportType: '',
  reportWord: '',
  words: {},
};

/** What may be written behind `--quirks`, one entry a quirk. The README lists the same names. */
const READERS: Readonly<Record<string, (written: WrittenQuirk) => Partial<Quirks>>> = {
  timestamps: ({ oneOf }) => ({ timestamps: oneOf(['s', 'ms']) }),
  prefix: ({ matching }) => ({ headerPrefix: matching(/^[A-Za-z][A-Za-z0-9-]*$/) }),
  'base-path': ({ matching }) => ({ basePath: matching(/^\/[A-Za-z0-9._/-]+$/) }),
  signature: ({ oneOf }) => ({ signature: oneOf(['RS256', 'RS512', 'PS256']) }),
  'clock-ahead': ({ matching }) => ({ clockAheadSeconds: Number(matching(/^-?\d{1,9}$/)) }),
  lacks: ({ matching }) => ({
    lacks: matching(/^(?:(?:GET|PUT):\/api\/v1\/[A-Za-z/]+(?:\+|$))+$/)
      .split('+')
      .map((call) => call.replace(':', ' ')),
  }),
  'own-clock': ({ oneOf }) => ({ ownClock: oneOf(['on']) === 'on' }),
  'logo-part': ({ oneOf }) => ({ logoPart: oneOf(['SBABaseProfileRequest', 'sbaBaseProfileRequest']) }),
  ids: ({ oneOf }) => ({ ids: oneOf(['large', 'text', 'large-text']) }),
  keys: ({ oneOf }) => ({ keys: oneOf(['lower', 'upper', 'pascal']) }),
  capitals: ({ oneOf }) => ({ capitals: oneOf(['on']) === 'on' }),
  bare: ({ oneOf }) => ({ bare: oneOf(['on']) === 'on' }),
  'page-size': ({ matching }) => ({ pageSize: Number(matching(/^[1-9]\d{0,5}$/)) }),
  'retry-after': ({ oneOf }) => ({ retryAfter: oneOf(['date', 'none']) }),
  'hourly-limit': ({ oneOf }) => ({ namesLimit: oneOf(['unnamed']) !== 'unnamed' }),
  'report-answer': ({ oneOf }) => ({ reportAnswer: oneOf(reportAnswers) }),
  'report-file': ({ oneOf }) => ({ reportFile: oneOf(fileFormats) }),
  'report-minutes': ({ matching }) => ({ reportMinutes: Number(matching(/^\d{1,5}$/)) }),
  'report-type': ({ matching }) => ({ reportType: matching(/^[A-Za-z][A-Za-z0-9_-]*$/) }),
  'report-word': ({ matching }) => ({ reportWord: matching(/^[A-Za-z][A-Za-z0-9_-]*$/) }),
  words: ({ oneOf }) => ({ words: oneOf(['other']) === 'other' ? ONE_OF_EACH : {} }),
};

const quirkNames: readonly string[] = Object.keys(READERS);

/** Reads `name=value,name=value`; throws a sentence about what is wrong with it. */
export function readQuirks(text: string): Partial<Quirks> {
  let quirks: Partial<Quirks> = {};
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=', 2).map((word) => word.trim());
    const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (read === undefined) throw new Error(`--quirks knows ${quirkNames.join(', ')}, not ${name}`);
    quirks = { ...quirks, ...read(writtenQuirk(name, value)) };
  }
  return quirks;
}

type WrittenQuirk = ReturnType<typeof writtenQuirk>;

const writtenQuirk = (name: string, value: string) => ({
  oneOf: <const W extends string>(words: readonly W[]): W => oneOf(`the quirk ${name}`, value, words),
  matching: (form: RegExp): string => {
    if (!form.test(value)) throw new Error(`the quirk ${name} cannot be ${value}`);
    return value;
  },
});

/** @param subject what must be one of the words, for the sentence that says so */
export function oneOf<const W extends string>(subject: string, value: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new Error(`${subject} must be ${words.join(' or ')}, not ${value}`);
  return word;
}
