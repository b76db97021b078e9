import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { useAppContext } from '../../app/app-context.ts';
import { useMedia, useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import styles from './media.module.css';

const texts = {
  usedBy: 'Used by',
  unused: 'Not used yet.',
} as const;

/** The field that uses a file, by file type. */
const USERS: Readonly<Record<string, { readonly kind: Kind; readonly field: string }>> = {
  logo: { kind: 'sbaProfile', field: 'logo' },
  video: { kind: 'videoProfile', field: 'video' },
  caption: { kind: 'media', field: 'caption' },
};

/** Most rows listed. */
const SHOWN_MAX = 20;

interface MediaUsageProps {
  readonly workspaceId: string;
  readonly mediaId: number;
  readonly mediaType: string;
  /** Called when the user follows a link to a row, so that a dialog can close. */
  readonly onFollow?: () => void;
}

/** Links to the rows that use a file; nothing for file types that no row uses. */
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
    <section aria-label={texts.usedBy} className={styles['media-usage']}>
      <h3 className={ui['group-title']}>{texts.usedBy}</h3>
      {total === 0 && <p className={ui['quiet']}>{texts.unused}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className={ui['link']}
              onClick={() => {
                store.getState().reveal(kind, row.campaignId, row.id, field);
                onFollow?.();
              }}
            >
              {kind === 'media' ? (
                names.get(row.id)
              ) : (
                <>
                  <ItemPicture
                    workspaceId={workspaceId}
                    itemId={row.picture ?? null}
                    name={row.campaignName}
                    size={20}
                  />
                  {row.campaignName}
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && <p className={ui['quiet']}>{appTexts.sync.more(total - rows.length)}</p>}
    </section>
  );
}
