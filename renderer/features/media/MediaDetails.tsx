import { Button } from '@mantine/core';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { SYNC_PHASES } from '../../../shared/lifecycle/states.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { DraggableFile } from '../../app/DraggableFile.tsx';
import { LONG_VIDEO_RULE, longVideoTexts } from '../../app/issue-text.ts';
import { bytesText, timeText } from '../../app/locale/numbers.ts';
import { cellOf, textOf } from '../../app/row-cells.ts';
import { useFile, useMedia } from '../../app/shared-queries.ts';
import { Chip } from '../../components/Chip.tsx';
import { FactList } from '../../components/Figures.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { isHere } from '../../grid/columns.ts';
import { FileChecks } from './FileChecks.tsx';
import { MediaPreview } from './MediaPreview.tsx';
import { MediaUsage } from './MediaUsage.tsx';
import { checkedValues, factTexts } from './media-facts.ts';

const texts = {
  edit: 'Edit video: captions, length, poster',
  checks: 'File checks',
  uploadFailed: 'Upload failed',
  uploadAgainHint: 'The next sync uploads this file again. Nothing else is repeated.',
  uploadAgain: 'Upload again…',
  addressLeft: (left: string, until: string) => `Upload link valid for ${left}, until ${until}.`,
  addressOver: 'Upload link expired. Adslate requests a new one.',
} as const;

interface MediaDetailsProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  readonly issues: readonly Pick<Issue, 'rule' | 'severity'>[];
}

/** A file of the library: picture, file data, checks, and upload state. */
export function MediaDetails({ workspaceId, row, issues }: MediaDetailsProps) {
  const { connection, store } = useAppContext();
  const { files } = useMedia(workspaceId);
  const file = useFile(workspaceId, isHere(row) ? row.id : null).data;
  const value = (field: string): Cell => cellOf('media', row, field);
  const text = (field: string): string => textOf('media', row, field);
  const size = value('bytes');
  const bytes = typeof size === 'number' ? size : null;
  // For a file in the library, the checks show this data.
  const facts = isHere(row) ? [] : factTexts(JSON.stringify({ durationMs: value('durationMs') }));
  return (
    <>
      <MediaPreview workspaceId={workspaceId} mediaId={row.id} files={files} />
      {file !== undefined && (
        <div className={ui['chips']}>
          {text('mediaType') === 'video' && (
            <Chip onClick={() => store.getState().editVideo(row.id)}>
              {issues.some(({ rule }) => rule === LONG_VIDEO_RULE) ? longVideoTexts.trim : texts.edit}
            </Chip>
          )}
          <DraggableFile file={file} filesOut={connection.filesOut} />
        </div>
      )}
      {facts.length > 0 && <FactList facts={facts} />}
      {isHere(row) && text('mediaType') !== 'poster' && (
        <section>
          <h3>{texts.checks}</h3>
          <FileChecks
            mediaType={text('mediaType')}
            issues={issues}
            values={checkedValues(text('facts'), text('mediaType'), bytes)}
          />
        </section>
      )}
      {isHere(row) ? (
        <UploadState mediaId={row.id} mediaState={text('mediaState')} reason={text('stateReason')} />
      ) : (
        text('stateReason') !== '' && <p className={ui['note-error']}>{text('stateReason')}</p>
      )}
      <MediaUsage workspaceId={workspaceId} mediaId={row.id} mediaType={text('mediaType')} />
    </>
  );
}

interface UploadStateProps {
  readonly mediaId: number;
  readonly mediaState: string;
  /** The error of the service or of the upload, after a failure. */
  readonly reason: string;
}

const SECOND_MS = 1000;

/** Progress of a file's upload and the time left for its URL; after a failure, the reason and a button to retry. */
function UploadState({ mediaId, mediaState, reason }: UploadStateProps) {
  const { store } = useAppContext();
  const upload = useView((s) => s.uploads[mediaId]);
  if (upload !== undefined && upload.sentBytes < upload.totalBytes) {
    return (
      <div>
        <progress max={upload.totalBytes} value={upload.sentBytes} aria-label={SYNC_PHASES.uploading} />{' '}
        {bytesText(upload.sentBytes)} / {bytesText(upload.totalBytes)}
        {upload.urlExpiresAt !== null && <Countdown until={upload.urlExpiresAt} />}
      </div>
    );
  }
  if (mediaState !== 'failed') return null;
  return (
    <div className={`${ui['card']} ${ui['card-error']}`} role="note">
      <strong>{texts.uploadFailed}</strong>
      {reason !== '' && <p>{reason}</p>}
      <p>{texts.uploadAgainHint}</p>
      <Button size="compact-xs" onClick={() => store.getState().openSync()}>
        {texts.uploadAgain}
      </Button>
    </div>
  );
}

/** Time until the upload URL expires, which is 15 minutes after it was issued; the sync then requests another one. */
function Countdown({ until }: { readonly until: number }) {
  const now = useNow(SECOND_MS);
  const left = Math.max(0, Math.ceil((until - now) / SECOND_MS));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <p className={ui['quiet']} role="timer">
      {left === 0 ? texts.addressOver : texts.addressLeft(text, timeText(until, now))}
    </p>
  );
}
