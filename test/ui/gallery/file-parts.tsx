import { LogoPreview } from '../../../renderer/screens/inspector/LogoPreview.tsx';
import { UploadState } from '../../../renderer/screens/inspector/UploadState.tsx';
import { VideoPlayer } from '../../../renderer/screens/inspector/VideoPlayer.tsx';
import { FileChecks } from '../../../renderer/screens/media/FileChecks.tsx';
import { KnownFile } from '../../../renderer/screens/media/KnownFile.tsx';
import { firstOf, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

/** One transparent pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TYPES = { video: 'video.too-long', logo: 'logo.pixels', caption: 'caption.order' } as const;
const MINUTE_MS = 60_000;

const upload = (left: number | null) =>
  staged(
    {
      arrange: (s) =>
        s.noteUpload({
          type: 'upload.progress',
          workspaceId: WORKSPACE,
          mediaId: firstOf('media').id,
          fileName: 'kettle-spot.mp4',
          sentBytes: 1_200_000,
          totalBytes: 2_400_000,
          urlExpiresAt: left === null ? null : Date.now() + left,
        }),
    },
    <UploadState mediaId={firstOf('media').id} mediaState="uploading" reason="" />,
  );

/** Files of the library: what was checked, how they look, how their upload stands. */
export const FILE_PARTS: readonly Part[] = [
  {
    name: 'FileChecks',
    states: {
      ...each(TYPES, (type) => <FileChecks mediaType={type} findings={[{ rule: TYPES[type], severity: 'error' }]} />),
      passed: <FileChecks mediaType="logo" findings={[]} />,
      warned: <FileChecks mediaType="video" findings={[{ rule: 'video.ratio', severity: 'warning' }]} />,
    },
  },
  {
    name: 'KnownFile',
    states: {
      'here only': staged({}, <KnownFile row={{ ...firstOf('media'), remoteId: null }} mediaType="video" />),
      uploaded: staged({}, <KnownFile row={{ ...firstOf('media'), remoteId: '90017' }} mediaType="video" />),
    },
  },
  { name: 'LogoPreview', states: { 'at rest': <LogoPreview url={PIXEL} name="logo.png" /> } },
  {
    name: 'VideoPlayer',
    states: { 'without caption': <VideoPlayer url="data:video/mp4;base64,AAAA" name="spot.mp4" caption={undefined} /> },
  },
  {
    name: 'UploadState',
    states: {
      'address holds': upload(9 * MINUTE_MS),
      'address over': upload(0),
      'no address': upload(null),
      failed: staged({}, <UploadState mediaId={1} mediaState="failed" reason="The service could not read the file." />),
    },
  },
];
