import { fieldNames } from '../../../shared/model/fields.ts';
import { preview } from '../../data/questions.ts';
import type { MediaFile } from '../../data/use-media.ts';
import { useQuery } from '../../data/use-query.ts';
import { enMedia } from '../../messages/en-media.ts';
import { enPictures } from '../../messages/en-pictures.ts';
import { errorText } from '../../messages/errors.ts';
import { ServicePicture } from '../frame/ServicePicture.tsx';
import { LogoPreview } from './LogoPreview.tsx';
import { VideoPlayer } from './VideoPlayer.tsx';

interface MediaPreviewProps {
  readonly workspaceId: string;
  readonly mediaId: number;
  readonly files: readonly MediaFile[];
}

const NAMES = fieldNames('media');

/** The file itself: a player with captions for a video, a logo on light and dark. */
export function MediaPreview({ workspaceId, mediaId, files }: MediaPreviewProps) {
  const file = files.find(({ id }) => id === mediaId);
  const isHere = file === undefined || file.isHere;
  const answer = useQuery(isHere ? preview(workspaceId, mediaId) : null);
  const captionId = file?.row.cells[NAMES.indexOf('caption')];
  const caption = useQuery(typeof captionId === 'number' ? preview(workspaceId, captionId) : null).data;
  if (!isHere) {
    return (
      <figure className="on-service">
        <ServicePicture
          workspaceId={workspaceId}
          of={{ is: 'row', kind: 'media', id: file.row.id }}
          alt={enPictures.thumbnail(file.name)}
          size={{ width: 240, height: 135 }}
        />
        <figcaption className="quiet">{enMedia.onService}</figcaption>
      </figure>
    );
  }
  if (answer.error !== null) return <p className="note-error">{errorText(answer.error)}</p>;
  if (answer.data === undefined) return <span className="grid-skeleton" />;
  const { url, contentType } = answer.data;
  if (contentType.startsWith('video/')) {
    const track = caption?.contentType === 'text/vtt' ? caption.url : undefined;
    return <VideoPlayer url={url} name={file?.name ?? ''} caption={track} />;
  }
  if (contentType.startsWith('image/')) return <LogoPreview url={url} name={file?.name ?? ''} />;
  return <p>{file?.name}</p>;
}
