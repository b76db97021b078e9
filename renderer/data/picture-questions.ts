import type { PictureOf, ShownPicture } from '../../shared/api/items.ts';
import { changedKind, never } from './invalidation.ts';
import type { QueryDefinition } from './query-cache.ts';

/** A picture of the service; what shows one never learns its address. */
export const picture = (workspaceId: string, of: PictureOf): QueryDefinition<ShownPicture> => ({
  key: `picture ${workspaceId} ${of.is === 'item' ? `item ${of.itemId}` : `${of.kind} ${of.id}`}`,
  read: (client) => client.pictures.show({ workspaceId, of }),
  outdatedBy: of.is === 'item' ? never : changedKind(workspaceId, of.kind),
});

/** What the catalog says of an item: its name and page. */
export const aboutItem = (workspaceId: string, itemId: string) =>
  ({
    key: `about-item ${workspaceId} ${itemId}`,
    read: (client) => client.items.about({ workspaceId, itemId }),
    outdatedBy: never,
  }) satisfies QueryDefinition<unknown>;
