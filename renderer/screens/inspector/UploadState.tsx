import { Button } from '@mantine/core';
import { useAppContext, useView } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { enMedia } from '../../messages/en-media.ts';
import { bytesText, timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

interface UploadStateProps {
  readonly mediaId: number;
  readonly mediaState: string;
  /** What the service or the upload said, where it failed. */
  readonly reason: string;
}

const SECOND_MS = 1000;

/** How far the upload of a file is and how long its address holds; after a failure, why and the way to try again. */
export function UploadState({ mediaId, mediaState, reason }: UploadStateProps) {
  const { store } = useAppContext();
  const upload = useView((s) => s.uploads[mediaId]);
  if (upload !== undefined && upload.sentBytes < upload.totalBytes) {
    return (
      <div className="upload-state">
        <progress max={upload.totalBytes} value={upload.sentBytes} aria-label={en.sync.phases.uploading} />{' '}
        {bytesText(upload.sentBytes)} / {bytesText(upload.totalBytes)}
        {upload.urlExpiresAt !== null && <Countdown until={upload.urlExpiresAt} />}
      </div>
    );
  }
  if (mediaState !== 'failed') return null;
  return (
    <div className="card card-error upload-state" role="note">
      <strong>{enMedia.uploadFailed}</strong>
      {reason !== '' && <p>{reason}</p>}
      <p>{enMedia.uploadAgainHint}</p>
      <Button size="compact-xs" onClick={() => store.getState().show({ name: 'sync' })}>
        {enMedia.uploadAgain}
      </Button>
    </div>
  );
}

/** The upload address holds for a quarter of an hour; when it ends, the sync asks for another by itself. */
function Countdown({ until }: { readonly until: number }) {
  const now = useNow(SECOND_MS);
  const left = Math.max(0, Math.ceil((until - now) / SECOND_MS));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <p className="quiet" role="timer">
      {left === 0 ? enMedia.addressOver : enMedia.addressLeft(text, timeText(until, now))}
    </p>
  );
}
