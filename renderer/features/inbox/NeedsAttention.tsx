import { useQuery } from '@tanstack/react-query';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { countText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { entryPlace, entryTitle, entryVerb, ICONS, showEntryRows, useEntryVerb } from './entry.ts';
import styles from './inbox.module.css';

const texts = {
  title: 'Needs attention',
  inbox: 'Inbox',
  none: 'Nothing needs attention.',
  verbOf: (verb: string, title: string) => `${verb}: ${title}`,
} as const;

/** The most urgent inbox entries, each with two lines of text and one action; the text links to its rows. */
export function NeedsAttention({ workspaceId }: { readonly workspaceId: string }) {
  const app = useAppContext();
  const act = useEntryVerb();
  const lines = useQuery(useApi().inbox.list.queryOptions({ input: { workspaceId } })).data?.lines;
  return (
    <section className={styles['attention']} aria-label={texts.title} aria-busy={lines === undefined}>
      <header>
        <h2>
          {texts.title} {lines !== undefined && lines.length > 0 && <span>{countText(lines.length)}</span>}
        </h2>
        <button type="button" className={ui['card-link']} onClick={() => app.store.getState().openInbox(null)}>
          {texts.inbox}
        </button>
      </header>
      {lines?.length === 0 && <p className={ui['quiet']}>{texts.none}</p>}
      <ul>
        {lines?.map((entry) => {
          const Icon = ICONS[entry.is];
          const title = entryTitle(entry);
          return (
            <li key={entry.id}>
              <span className={styles['icon']} data-tone={toneOf(entry)} aria-hidden="true">
                <Icon size={14} stroke={1.75} />
              </span>
              <button
                type="button"
                className={styles['attention-line']}
                data-rows={entry.rows}
                onClick={() => showEntryRows(app, entry)}
              >
                <span>{title}</span>
                <span>{entryPlace(entry)}</span>
              </button>
              <button
                type="button"
                className={styles['verb']}
                aria-label={texts.verbOf(entryVerb(entry), title)}
                onClick={() => act(entry)}
              >
                {entryVerb(entry)}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Failures are red, entries that need an answer amber, others quiet. */
export const toneOf = ({ is, tone }: Parameters<typeof entryTitle>[0]): string =>
  tone === 'bad' ? 'bad' : is === 'question' || is === 'conflict' || is === 'request' ? 'ask' : tone;
