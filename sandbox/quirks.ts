import { limits } from './limits.ts';
import { ONE_OF_EACH, type OtherWords } from './wire/other-words.ts';

/** Report files: JSON, or CSV, plain or compressed. The first row with a column decides that the column exists. */
const fileFormats = ['json', 'csv', 'gzip', 'zip', 'zip-parts', 'zip-mixed'] as const;
export type FileFormat = (typeof fileFormats)[number];

/**
 * Ways in which a deployment may differ from the default one and still follow the document. Each quirk is turned on by
 * name (`--quirks timestamps=s,prefix=ACME`), so that a client can be tested against each of them.
 */
export interface Quirks {
  /** "Authentication": samples use seconds or milliseconds. `both` distinguishes them by the number of digits. */
  readonly timestamps: 'both' | 's' | 'ms';
  /** First part of the header names; the document uses SVC. */
  readonly headerPrefix: string;
  /** Path prefix of every API call, such as `/partner`; empty for none. */
  readonly basePath: string;
  /** The signature: RSA with PKCS#1 v1.5 padding (RS) or PSS padding (PS). The document does not specify it. */
  readonly signature: 'RS256' | 'RS512' | 'PS256';
  /** How far the service's clock is ahead of the computer's, in seconds; negative for behind. */
  readonly clockAheadSeconds: number;
  /** Extensions that it lacks, as `PUT /api/v1/campaigns`. */
  readonly lacks: readonly string[];
  /** Whether the sandbox's own clock, instead of the computer's, checks timestamps and dates responses. */
  readonly ownClock: boolean;
  /** "Upload logo": the document spells the name of the JSON part in two ways. */
  readonly logoPart: 'either' | 'SBABaseProfileRequest' | 'sbaBaseProfileRequest';
  /** The format of IDs: as in the document's samples, above 2^53, as text, or both. */
  readonly ids: 'small' | 'large' | 'text' | 'large-text';
  /** The case of member names; the document has both "adgroupId" and "adGroupId". */
  readonly keys: 'document' | 'lower' | 'upper' | 'pascal';
  /** Whether enumerated words are in capitals ("AVAILABLE"). */
  readonly capitals: boolean;
  /** Whether a list of one element is sent as that element. */
  readonly bare: boolean;
  /** The answer of a list of profiles or reviews for an ad group that has none: an empty list, or 404. */
  readonly none: 'empty' | 'not-found';
  /** Page size of lists; null for complete lists. */
  readonly pageSize: number | null;
  /** The Retry-After of "Rate limit exceeded": seconds, a date, or none. */
  readonly retryAfter: 'seconds' | 'date' | 'none';
  /** Whether answers and refusals have the hourly limit. */
  readonly namesLimit: boolean;
  /** "returns a download URL or data": the form of every report, whatever is requested. */
  readonly reportAnswer: 'as-asked' | (typeof reportAnswers)[number];
  /**
   * The compression of every report file, whatever is requested. `zip-parts` has several files, `zip-mixed` also one
   * with other columns.
   */
  readonly reportFile: 'as-asked' | FileFormat;
  /** Minutes that a report job takes. */
  readonly reportMinutes: number;
  /** "and others": an additional report type; empty for none. */
  readonly reportType: string;
  /**
   * A word that the document does not have: the status of unfinished jobs, and the name of a metric in rows. Empty for
   * none.
   */
  readonly reportWord: string;
  /** Enumeration words that the document does not have. */
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
  none: 'empty',
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

/** Parsers for `--quirks`, one per quirk. The README lists the same names. */
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
  none: ({ oneOf }) => ({ none: oneOf(['not-found']) }),
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

/** Parses `name=value,name=value`; throws an error that says what is wrong. */
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

/** @param subject the name of the value, for the error text */
export function oneOf<const W extends string>(subject: string, value: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new Error(`${subject} must be ${words.join(' or ')}, not ${value}`);
  return word;
}
