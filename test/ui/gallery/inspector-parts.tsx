import { columnsOf } from '../../../renderer/grid/columns.ts';
import { ItemPage } from '../../../renderer/screens/frame/ItemPage.tsx';
import { ServicePicture } from '../../../renderer/screens/frame/ServicePicture.tsx';
import { EndDate } from '../../../renderer/screens/inspector/EndDate.tsx';
import { Inspector } from '../../../renderer/screens/inspector/Inspector.tsx';
import { ItemAbout } from '../../../renderer/screens/inspector/ItemAbout.tsx';
import { ManyRows } from '../../../renderer/screens/inspector/ManyRows.tsx';
import { MediaDetails } from '../../../renderer/screens/inspector/MediaDetails.tsx';
import { MediaField } from '../../../renderer/screens/inspector/MediaField.tsx';
import { MediaPreview } from '../../../renderer/screens/inspector/MediaPreview.tsx';
import { MediaUsage } from '../../../renderer/screens/inspector/MediaUsage.tsx';
import { OneRow } from '../../../renderer/screens/inspector/OneRow.tsx';
import { ProfilePair } from '../../../renderer/screens/inspector/ProfilePair.tsx';
import { VeryManyRows } from '../../../renderer/screens/inspector/VeryManyRows.tsx';
import type { ShownPicture } from '../../../shared/contract/pictures.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { OPEN_END } from '../../../shared/model/plain-date.ts';
import { never, os } from './answers.ts';
import { aRow, fileOf, firstOf, NOON, PIXEL, rowsOf, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged, Viewed } from './Stage.tsx';

const aria = { id: 'end', 'aria-describedby': 'end-notes', 'aria-invalid': false };
const endDate = (value: string) => (
  <div>
    <label htmlFor="end">End date</label>
    <EndDate aria={aria} value={value} onChange={() => {}} />
  </div>
);

const files = rowsOf('media').map((row) => ({
  id: row.id,
  name: 'kettle-spot.mp4',
  mediaType: 'video',
  row,
  isHere: true,
}));
const shown = (mediaId: number) => <MediaPreview workspaceId={WORKSPACE} mediaId={mediaId} files={files} />;
const usage = (mediaType: string) => (
  <MediaUsage workspaceId={WORKSPACE} mediaId={fileOf('video')} mediaType={mediaType} />
);

const pictured = (shownPicture: ShownPicture) =>
  staged(
    { answers: { pictures: { show: os.pictures.show.handler(() => shownPicture) } } },
    <ServicePicture
      workspaceId={WORKSPACE}
      of={{ is: 'item', itemId: '0012345678' }}
      alt="Kettle"
      size={{ width: 72, height: 72 }}
    />,
  );

function mediaField(value: number | null) {
  const column = columnsOf('videoProfile', false).find(({ field }) => field === 'video');
  if (column === undefined) throw new Error('A video profile has no field for its video.');
  const plain = {
    locked: null,
    findings: [],
    before: null,
    impact: null,
    onRevert: null,
    openComments: 0,
    onChange: () => {},
  };
  return staged(
    {},
    <MediaField {...plain} kind="videoProfile" column={column} workspaceId={WORKSPACE} value={value} files={files} />,
  );
}

const one = (kind: Kind) =>
  staged(
    {},
    <Viewed request={{ kind }}>
      {(view) => <OneRow workspaceId={WORKSPACE} view={view} kind={kind} row={firstOf(kind)} />}
    </Viewed>,
  );

const profile = { brand: 'Northwind', headline: 'Kettles for every kitchen', status: 'enabled' };
const inspector = (
  <Viewed request={{ kind: 'keyword' }}>{(view) => <Inspector workspaceId={WORKSPACE} view={view} />}</Viewed>
);

/** What stands on the right: one row, many rows, and what a kind of row needs beside its fields. */
export const INSPECTOR_PARTS: readonly Part[] = [
  {
    name: 'ServicePicture',
    states: {
      there: pictured({ url: PIXEL, why: null, host: '' }),
      'not there': pictured({ url: null, why: 'none', host: '' }),
      'host not allowed': pictured({ url: null, why: 'host', host: 'cdn.example' }),
    },
  },
  {
    name: 'ItemPage',
    states: {
      there: <ItemPage url="https://shop.example/ip/1" name="Kettle" />,
    },
  },
  {
    name: 'ItemAbout',
    states: {
      known: staged(
        {
          answers: {
            items: {
              about: os.items.about.handler(() => ({
                itemId: '0012345678',
                name: 'Harbor Bright Kettle',
                pageUrl: 'https://shop.example/ip/0012345678',
              })),
            },
            pictures: { show: os.pictures.show.handler(() => ({ url: PIXEL, why: null, host: '' })) },
          },
        },
        <ItemAbout workspaceId={WORKSPACE} itemId="0012345678" />,
      ),
    },
  },
  {
    name: 'Inspector',
    states: {
      'no view': staged({}, <Inspector workspaceId={WORKSPACE} view={null} />),
      'one row': staged({}, inspector),
      'some rows': staged({ arrange: (s) => s.selectRows(0, 3) }, inspector),
      'too many rows': staged({ arrange: (s) => s.selectRows(0, 5000) }, inspector),
    },
  },
  {
    name: 'OneRow',
    states: {
      campaign: one('campaign'),
      keyword: one('keyword'),
      'SBA profile': one('sbaProfile'),
      file: one('media'),
    },
  },
  { name: 'VeryManyRows', states: { all: staged({}, <VeryManyRows count={200_000} />) } },
  {
    name: 'ManyRows',
    states: {
      'mixed values': staged(
        {},
        <Viewed request={{ kind: 'keyword' }}>
          {(view) => (
            <ManyRows workspaceId={WORKSPACE} view={view} kind="keyword" rows={rowsOf('keyword').slice(0, 3)} />
          )}
        </Viewed>,
      ),
    },
  },
  {
    name: 'EndDate',
    states: { 'a day': endDate('2030-08-31'), 'no end': endDate(OPEN_END), 'nothing yet': endDate('') },
  },
  {
    name: 'ProfilePair',
    states: {
      'one profile': staged({}, <ProfilePair workspaceId={WORKSPACE} row={firstOf('sbaProfile')} typed={{}} />),
      typing: staged(
        {},
        <ProfilePair workspaceId={WORKSPACE} row={aRow('sbaProfile', profile)} typed={{ headline: 'K' }} />,
      ),
    },
  },
  {
    name: 'MediaField',
    states: { empty: mediaField(null), video: mediaField(fileOf('video')), logo: mediaField(fileOf('logo')) },
  },
  {
    name: 'MediaPreview',
    states: {
      video: staged({}, shown(fileOf('video'))),
      logo: staged({}, shown(fileOf('logo'))),
      caption: staged({}, shown(fileOf('caption'))),
      reading: staged({ answers: { media: { preview: os.media.preview.handler(never) } } }, shown(fileOf('logo'))),
      gone: staged(
        {
          answers: {
            media: {
              preview: os.media.preview.handler(({ errors, input }) => {
                throw errors.NO_ROW({ data: { kind: 'media', id: input.mediaId } });
              }),
            },
          },
        },
        shown(fileOf('logo')),
      ),
    },
  },
  {
    name: 'MediaDetails',
    states: {
      'at rest': staged({}, <MediaDetails workspaceId={WORKSPACE} row={firstOf('media')} findings={[]} />),
      uploading: staged(
        {
          arrange: (s) =>
            s.noteUpload({
              type: 'upload.progress',
              workspaceId: WORKSPACE,
              mediaId: firstOf('media').id,
              fileName: 'kettle-spot.mp4',
              sentBytes: 1_200_000,
              totalBytes: 2_400_000,
              urlExpiresAt: NOON,
            }),
        },
        <MediaDetails workspaceId={WORKSPACE} row={firstOf('media')} findings={[]} />,
      ),
    },
  },
  { name: 'MediaUsage', states: { unused: staged({}, usage('video')), 'of no use': staged({}, usage('other')) } },
];
