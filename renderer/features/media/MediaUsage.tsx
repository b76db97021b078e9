import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { type ActionContext, runEdit } from '../../app/actions.ts';
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
const USERS = {
  logo: { kind: 'sbaProfile', field: 'logo' },
  video: { kind: 'videoProfile', field: 'video' },
  caption: { kind: 'media', field: 'caption' },
} as const;

const userOf = (mediaType: string): { readonly kind: Kind; readonly field: string } | undefined =>
  Object.entries(USERS).find(([type]) => type === mediaType)?.[1];

interface Replacement {
  readonly workspaceId: string;
  readonly mediaType: keyof typeof USERS;
  readonly mediaId: number;
  readonly by: number;
  readonly label: string;
}

/**
 * Uses another file in every row that uses this one, as one step.
 *
 * @returns false if some rows still use the file, which the user is told
 */
export async function replaceUses(
  context: Pick<ActionContext, 'connection' | 'store' | 'inOrder' | 'toasts'>,
  { workspaceId, mediaType, mediaId, by, label }: Replacement,
): Promise<boolean> {
  const { workspace, bulk } = context.connection.client;
  const { kind, field } = USERS[mediaType];
  const filter = printSearch({ is: 'compare', field, op: '=', value: mediaId }, kind);
  const replace = async () => {
    const { viewId, length } = await workspace.openView({ workspaceId, view: { kind, filter } });
    if (length === 0) return { refused: [] };
    const tool = { tool: 'set' as const, values: { [field]: by } };
    try {
      const scope = { viewId, ranges: null };
      return await bulk.apply({ workspaceId, scope, tool, label, taskId: crypto.randomUUID() });
    } finally {
      await workspace.closeView({ workspaceId, viewId });
    }
  };
  const done = await runEdit(context, replace, workspaceId);
  const refused = done?.refused.filter(({ why }) => why !== 'deleted') ?? [];
  for (const { rows, why } of refused) context.toasts.fail(`${appTexts.bulk.refused(rows, appTexts.bulk.why[why])}.`);
  return done !== null && refused.length === 0;
}

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
  const user = userOf(mediaType);
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
