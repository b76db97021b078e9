import { outgoingName } from '../../shared/media/outgoing-name.ts';
import { err, ok } from '../../shared/result.ts';
import { addMedia } from '../media/add-media.ts';
import { contentTypeOf } from '../media/content-type.ts';
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
    const contentType = contentTypeOf(row);
    const fileName = outgoingName(row.values.fileName ?? row.values.mediaName ?? String(input.mediaId), contentType);
    const path = library.pathOf(row.values.sha256);
    const served = row.values.mediaType === 'caption' ? `${contentType}; charset=utf-8` : contentType;
    const handle = previews.offer({ path, contentType: served, fileName, workspaceId: input.workspaceId });
    return { url: `/preview/${handle}`, contentType, fileName };
  }),
});
