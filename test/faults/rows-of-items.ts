import { type FaultRow, row } from './fault-row.ts';

const MEDIA = 'test/sync/service-media.test.ts';
const PICTURES = 'test/pictures/pictures.test.ts';
const FILES = 'test/exchange/import-files.test.ts';

/** Videos that are on the service only, items of the catalog, and their pictures. */
export const ITEM_ROWS: readonly FaultRow[] = [
  row(
    'IT1',
    'file',
    'video uploaded elsewhere, no file here',
    'listed, usable, never uploaded',
    MEDIA,
    'nothing is uploaded',
  ),
  row('IT2', 'file', 'video uploaded elsewhere, still processing', 'the profile waits', MEDIA, 'is waited for'),
  row(
    'IT3',
    'file',
    'video that the service no longer lists',
    'an error where a change needs it',
    MEDIA,
    'no longer lists',
  ),
  row(
    'IT4',
    'machine',
    'the list of media is refused or fails',
    'the rest of a refresh goes on',
    MEDIA,
    'loses nothing else',
  ),
  row(
    'IT5',
    'machine',
    'upload without an answer, then a refresh',
    'stays one video',
    MEDIA,
    'is not taken for a video',
  ),
  row(
    'IT6',
    'import',
    'media name that several videos have',
    'an error with their ids',
    FILES,
    'where several have the name',
  ),
  row(
    'IT7',
    'machine',
    'picture that is none, or too large',
    'a quiet place, its neighbors are shown',
    PICTURES,
    'never reaches a window',
  ),
  row('IT8', 'machine', 'picture that does not come', 'given up after 15 s', PICTURES, 'given up after its time'),
  row(
    'IT9',
    'machine',
    'picture of a host that is not allowed',
    'not asked, the host is told',
    PICTURES,
    'only hosts that are allowed',
  ),
  row(
    'IT10',
    'machine',
    'pictures beyond 64 MiB, a damaged cache',
    'the oldest go, the rest is fetched again',
    PICTURES,
    'the cache holds so many bytes',
  ),
  row(
    'IT11',
    'machine',
    'item ID that the catalog does not have',
    'named, the others are shown',
    'test/cli/items.test.ts',
    'by the very ids',
  ),
];
