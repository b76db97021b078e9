import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { useAppContext } from '../../app/app-context.ts';
import { useMedia, useRows } from '../../app/shared-queries.ts';
import { en } from '../../texts/en.ts';
import { enMedia } from '../../texts/en-media.ts';

/** Where a file of each type can be used. */
const USERS: Readonly<Record<string, { readonly kind: Kind; readonly field: string }>> = {
  logo: { kind: 'sbaProfile', field: 'logo' },
  video: { kind: 'videoProfile', field: 'video' },
  caption: { kind: 'media', field: 'caption' },
};

/** Rows named at most. */
const SHOWN_MAX = 20;

interface MediaUsageProps {
  readonly workspaceId: string;
  readonly mediaId: number;
  readonly mediaType: string;
  /** Called when somebody goes to a row, by a dialog that would stand in the way. */
  readonly onFollow?: () => void;
}

/** The rows that point at a file, each one click away; nothing is said of a type that no row points at. */
export function MediaUsage({ workspaceId, mediaId, mediaType, onFollow }: MediaUsageProps) {
  const { store } = useAppContext();
  const { names } = useMedia(workspaceId);
  const user = USERS[mediaType];
  const search = (field: string) => ({ is: 'compare', field, op: '=', value: mediaId }) as const;
  const view = user === undefined ? null : { kind: user.kind, filter: printSearch(search(user.field), user.kind) };
  const usage = useRows(workspaceId, view, SHOWN_MAX).data;
  if (user === undefined || usage === undefined) return null;
  const { total, rows } = usage;
  const { kind, field } = user;
  return (
    <section aria-label={enMedia.usedBy} className="media-usage">
      <h3 className="group-title">{enMedia.usedBy}</h3>
      {total === 0 && <p className="quiet">{enMedia.unused}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className="link"
              onClick={() => {
                store.getState().reveal(kind, row.campaignId, row.id, field);
                onFollow?.();
              }}
            >
              {kind === 'media' ? names.get(row.id) : row.campaignName}
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && <p className="quiet">{en.sync.more(total - rows.length)}</p>}
    </section>
  );
}
