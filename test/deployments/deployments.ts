import { readQuirks } from '../../sandbox/quirks.ts';
import type { SandboxOptions } from '../../sandbox/start.ts';

/** One way to run the service that the document allows. */
export interface Deployment {
  readonly name: string;
  /** Whether it has calls beyond the document. */
  readonly extensions: boolean;
  /** Whether campaigns can be paused and extended; with calls beyond the document they can, unless it is said. */
  readonly canPause?: boolean;
  readonly options: Partial<SandboxOptions>;
  /** Keys of the deployment profile that its owner would set. */
  readonly profile?: string;
  /** Whether one of the videos was uploaded by a colleague, and is on the service only. */
  readonly foreignMedia?: boolean;
  /** Settings that the connection test has to find out by itself. */
  readonly found?: readonly string[];
}

const WAYS: readonly Omit<Deployment, 'extensions'>[] = [
  { name: 'as documented', options: {} },
  { name: 'timestamps in seconds', options: { quirks: readQuirks('timestamps=s') }, found: ['timestampUnit'] },
  {
    name: 'another header prefix and base path, PSS signatures, a clock that is ahead',
    options: { quirks: readQuirks('prefix=ACME,base-path=/partner,signature=PS256,clock-ahead=7200') },
    found: ['signatureAlgorithm'],
  },
  { name: 'ids as text', options: { quirks: readQuirks('ids=text') } },
  { name: 'ids beyond 2^53', options: { quirks: readQuirks('ids=large') } },
  { name: 'ids beyond 2^53 as text', options: { quirks: readQuirks('ids=large-text') } },
  { name: 'words in capitals', options: { quirks: readQuirks('capitals=on') } },
  {
    name: 'a list of one as the one, a list of none as not found',
    options: { quirks: readQuirks('bare=on,none=not-found') },
  },
  { name: 'lists in pages of two', options: { quirks: readQuirks('page-size=2') } },
  { name: 'an hourly limit that says how long to wait', options: { operationsPerHour: 15 } },
  {
    name: 'an hourly limit that says until when',
    options: { operationsPerHour: 15, quirks: readQuirks('retry-after=date') },
  },
  {
    name: 'an hourly limit that says nothing',
    options: { operationsPerHour: 15, quirks: readQuirks('retry-after=none') },
  },
  { name: 'members in small letters', options: { quirks: readQuirks('keys=lower') } },
  { name: 'members that begin with a capital', options: { quirks: readQuirks('keys=pascal') } },
  {
    name: 'the JSON part of a logo under its other name',
    options: { quirks: readQuirks('logo-part=sbaBaseProfileRequest') },
  },
  { name: 'words that the document does not name', options: { quirks: readQuirks('words=other') } },
  { name: 'reports in a ZIP file', options: { quirks: readQuirks('report-answer=address,report-file=zip-parts') } },
  {
    name: 'reports that take half an hour',
    options: { quirks: readQuirks('report-answer=job,report-file=zip,report-minutes=30') },
  },
  { name: 'a video of a colleague', options: {}, foreignMedia: true },
];

/** Each way with documented calls only, and with the calls beyond them. */
export const DEPLOYMENTS: readonly Deployment[] = [
  ...[false, true].flatMap((extensions) => WAYS.map((way) => ({ ...way, extensions }))),
  {
    name: 'lists of everything and no changes of them',
    extensions: true,
    canPause: false,
    options: { quirks: readQuirks('lacks=PUT:/api/v1/campaigns+PUT:/api/v1/adGroups+PUT:/api/v1/keywords') },
  },
];
