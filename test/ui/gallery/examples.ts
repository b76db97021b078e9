import type { Account } from '../../../shared/contract/accounts.ts';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { asRowId, asWorkspaceId } from '../../../shared/model/scalars.ts';
import { createMemoryAccount, type MemoryAccount } from '../memory-account.ts';
import { os } from './answers.ts';

/** The one account in memory. */
export const WORKSPACE = asWorkspaceId('practice-1');

/** A moment that every example agrees on: noon of the first of June 2030. */
export const NOON = Date.UTC(2030, 5, 1, 12);

export const ACCOUNT: Account = {
  workspaceId: WORKSPACE,
  name: 'Northwind Housewares',
  advertiserId: '900001',
  practice: false,
  baseUrl: 'https://ads.example.com',
  retailHost: 'www.example.com',
  color: '#0b7285',
  keyFingerprint: null,
  secrets: 'keyring',
  mode: 'normal',
};

/** A row with some of its cells filled. */
export function aRow(kind: Kind, cells: Readonly<Record<string, Cell>>, part: Partial<WindowRow> = {}): WindowRow {
  return {
    id: asRowId(1),
    campaignId: asRowId(2),
    adGroupId: asRowId(3),
    remoteId: '7001',
    campaignName: 'Kettles for every kitchen',
    dirty: 0,
    severity: null,
    outbox: null,
    cells: fieldNames(kind).map((field) => cells[field] ?? null),
    ...part,
  };
}

const KEYWORDS = 12;
const FILES = [
  { mediaType: 'video', fileName: 'kettle-spot.mp4' },
  { mediaType: 'logo', fileName: 'northwind-logo.png' },
  { mediaType: 'caption', fileName: 'kettle-spot.vtt' },
] as const;

/** Puts a video, a logo and a caption into the library of an account in memory. */
export function stockLibrary(account: MemoryAccount): void {
  account.create(
    'Add files',
    FILES.map((values) => ({ kind: 'media', parent: null, values })),
  );
}

/** A twin of the account that every stage has: it has the same rows under the same ids. */
const twin = createMemoryAccount(KEYWORDS, () => {});
stockLibrary(twin);

/** Rows of a kind as a view hands them out. */
export const rowsOf = (kind: Kind): readonly WindowRow[] =>
  twin
    .rows()
    .filter((row) => row.kind === kind)
    .map(twin.shown);

/** The first row of a kind; it is an error of the gallery when there is none. */
export function firstOf(kind: Kind): WindowRow {
  const [row] = rowsOf(kind);
  if (row === undefined) throw new Error(`The account in memory has no row of the kind ${kind}.`);
  return row;
}

/** The id of the file of a type in the library. */
export function fileOf(mediaType: (typeof FILES)[number]['mediaType']): number {
  const row = rowsOf('media').find(({ cells }) => cells.includes(mediaType));
  if (row === undefined) throw new Error(`The library has no ${mediaType}.`);
  return row.id;
}

/** A picture that needs no file: one pixel of grey. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOora39DwAFhgKBjbF3WQAAAABJRU5ErkJggg==';
const TYPES = { video: 'video/mp4', logo: 'image/png', caption: 'text/vtt' } as const;

/** What a file of the library looks like, as main would answer. */
export const preview = os.media.preview.handler(({ input }) => {
  const row = twin.find('media', input.mediaId);
  const { mediaType, fileName } = FILES.find((file) => row?.cells.includes(file.mediaType)) ?? FILES[2];
  return { url: mediaType === 'logo' ? PIXEL : `data:${TYPES[mediaType]},`, contentType: TYPES[mediaType], fileName };
});
