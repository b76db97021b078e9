import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { preview } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { bytesText, timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';
import { FileOut } from '../frame/FileOut.tsx';
import { MediaPreview } from './MediaPreview.tsx';
import { MediaUsage } from './MediaUsage.tsx';
import { factTexts } from './media-facts.ts';

const NAMES = fieldNames('media');

/** A file of the library: picture, what the probe found, and its upload while it is under way. */
export function MediaDetails({ workspaceId, row }: { readonly workspaceId: string; readonly row: WindowRow }) {
  const { files } = useMedia(workspaceId);
  const now = useNow();
  const { connection } = useDesk();
  const file = useQuery(preview(workspaceId, row.id)).data;
  const upload = useView((s) => s.uploads[row.id]);
  const facts = factTexts(String(row.cells[NAMES.indexOf('facts')] ?? ''));
  return (
    <>
      <MediaPreview workspaceId={workspaceId} mediaId={row.id} files={files} />
      {file !== undefined && <FileOut file={file} filesOut={connection.filesOut} />}
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {upload !== undefined && upload.sentBytes < upload.totalBytes && (
        <p>
          <progress max={upload.totalBytes} value={upload.sentBytes} aria-label={en.sync.phases.uploading} />{' '}
          {bytesText(upload.sentBytes)} / {bytesText(upload.totalBytes)}
          {upload.urlExpiresAt !== null && ` · ${en.media.urlUntil(timeText(upload.urlExpiresAt, now))}`}
        </p>
      )}
      <MediaUsage
        workspaceId={workspaceId}
        mediaId={row.id}
        mediaType={String(row.cells[NAMES.indexOf('mediaType')] ?? '')}
      />
    </>
  );
}
