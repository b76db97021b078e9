import type { PictureOf, ShownPicture } from '../../shared/contract/pictures.ts';
import type { OpenAccount } from '../open-account.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

const NONE: ShownPicture = { url: null, why: 'none', host: '' };

export const picturesRouter = ({ open, previews }: CoreParts) => ({
  show: os.pictures.show.handler(async ({ input, errors }): Promise<ShownPicture> => {
    const account = await opened(open, input.workspaceId, errors);
    const address = await addressOf(account, input.of);
    if (address === null || address === '') return NONE;
    const shown = await account.pictures.show(address);
    if (!shown.ok) return { url: null, why: shown.error.kind, host: shown.error.host };
    const { path, contentType } = shown.value;
    const fileName = `picture.${contentType.slice('image/'.length)}`;
    const handle = previews.offer({ path, contentType, fileName, workspaceId: input.workspaceId });
    return { url: `/preview/${handle}`, why: null, host: '' };
  }),
});

/** The address that the service gave; a window cannot name one. */
async function addressOf({ workspace, pictures }: OpenAccount, of: PictureOf): Promise<string | null> {
  if (of.is === 'item') return (await pictures.item(of.itemId))?.imageUrl ?? null;
  const row = await workspace.readRow({ kind: of.kind, id: of.id });
  if (row?.kind === 'sbaProfile') return row.values.logoUrl;
  return row?.kind === 'videoProfile' || row?.kind === 'media' ? row.values.thumbnailUrl : null;
}
