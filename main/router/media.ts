import { outgoingName } from '../../shared/media/outgoing-name.ts';
import type { MediaFacts } from '../../shared/model/media-facts.ts';
import { err, ok } from '../../shared/result.ts';
import { addMedia } from '../media/add-media.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const mediaRouter = ({ open, grants, prober, previews }: CoreParts) => ({
  add: os.media.add.handler(async ({ input, errors }) => {
    const { workspace, library } = await opened(open, input.workspaceId, errors);
    const files = await Promise.all(
      input.grants.map(async (grant) => {
        const file = await grants.resolve(grant);
        if (file === null) throw errors.NO_GRANT({ data: { grant } });
        return file.ok ? ok(file.value) : err(file.error);
      }),
    );
    const added = await addMedia({ workspace, library, prober }, files);
    if (!added.ok) throw notWritable(added.error, errors.NOT_WRITABLE);
    return { files: [...added.value.files], revision: added.value.revision };
  }),
  preview: os.media.preview.handler(async ({ input, errors }) => {
    const { workspace, library } = await opened(open, input.workspaceId, errors);
    const row = await workspace.readRow({ kind: 'media', id: input.mediaId });
    if (row === null || row.kind !== 'media' || row.values.sha256 === null) {
      throw errors.NO_ROW({ data: { kind: 'media', id: input.mediaId } });
    }
    const contentType = contentTypeOf(row.values.facts);
    const fileName = outgoingName(row.values.fileName ?? row.values.mediaName ?? String(input.mediaId), contentType);
    const path = library.pathOf(row.values.sha256);
    const handle = previews.offer({ path, contentType, fileName, workspaceId: input.workspaceId });
    return { url: `/preview/${handle}`, contentType, fileName };
  }),
});

/** From what the probe found, never from the name. */
function contentTypeOf(factsJson: string | null): string {
  const facts: Pick<MediaFacts, 'is'> & { container?: string; format?: string } = JSON.parse(
    factsJson ?? '{"is":"logo"}',
  );
  if (facts.is === 'logo') return 'image/png';
  if (facts.is === 'video') return facts.container === 'mov' ? 'video/quicktime' : 'video/mp4';
  return facts.format === 'vtt' ? 'text/vtt; charset=utf-8' : 'application/x-subrip; charset=utf-8';
}
