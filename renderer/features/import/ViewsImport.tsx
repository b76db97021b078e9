import { Problem } from '../../app/Problem.tsx';
import '../../no-eval.ts';
import { Button, Checkbox, Group } from '@mantine/core';
import { useRef, useState } from 'react';
import { compareViews, type IncomingView, readViews, VIEWS_FILE_MAX_BYTES } from '../../../shared/api/views-file.ts';
import { attempt } from '../../app/actions.ts';
import { useAppContext } from '../../app/app-context.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { plural } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { toggled } from '../../app/toggled.ts';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './import.module.css';

const texts = {
  intro: 'Filters, sort orders and columns from an exported file. Nothing changes until you import them.',
  list: 'Views in the file',
  none: 'This file has no views.',
  pick: 'Choose a file…',
  take: (n: number) => `Import ${plural(n, 'view')}`,
  taken: (n: number) => `${plural(n, 'view')} imported.`,
  is: {
    new: 'new',
    same: 'already in your views',
    taken: 'name already in use; select it to replace that view',
    'bad-filter': "its filter can't be read",
  },
  problems: {
    'not-views': 'This is not a views file. Choose a file that was exported from the Views menu.',
    newer: 'This file needs a newer version of Adslate. Update Adslate and import it again.',
  },
} as const;

/**
 * Imports views from a colleague's file, after a preview of each:
 *
 *   no file --picked, readable--> list with checkboxes --imported--> saved, closed
 *      ^---- picked, not readable: shows why
 */
export function ViewsImport({ workspaceId }: { readonly workspaceId: string }) {
  const app = useAppContext();
  const { store, toasts, connection } = app;
  const { views: viewsOf } = connection.client;
  const { dismiss, dismisser } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const [busy, during] = useBusy();
  const [problem, setProblem] = useState<string | null>(null);
  const [found, setFound] = useState<readonly IncomingView[] | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<IncomingView>>(new Set());

  // The browser provides the file; every view is validated here, and again when it is saved.
  const read = async (file: File): Promise<void> => {
    const views = file.size > VIEWS_FILE_MAX_BYTES ? null : readViews(await file.text());
    // Read again for each file: cached views may include deleted ones, and the comparison stays on screen.
    const saved = await attempt(app, () => viewsOf.saved({ workspaceId }));
    if (saved === null) return;
    const compared = views?.ok ? compareViews(views.value, saved) : null;
    setProblem(compared === null ? texts.problems[views === null || views.ok ? 'not-views' : views.error] : null);
    setFound(compared);
    setChosen(new Set(compared?.filter(({ is }) => is === 'new')));
  };
  const take = async (): Promise<void> => {
    const close = dismisser();
    let taken = 0;
    for (const { incoming, here } of chosen) {
      const view = { ...incoming.view, campaignId: null };
      const asked = { workspaceId, id: here?.id ?? null, ...incoming, view };
      if ((await attempt(app, () => viewsOf.save(asked))) === null) return;
      taken += 1;
    }
    toasts.tell(texts.taken(taken));
    close();
  };
  return (
    <>
      <p className={ui['quiet']}>{texts.intro}</p>
      <Problem of={problem} />
      {found?.length === 0 && <p>{texts.none}</p>}
      {found !== null && found.length > 0 && (
        <ul className={`${ui['lines']} ${styles['view-offers']}`} aria-label={texts.list}>
          {found.map((view) => (
            <li key={`${view.incoming.view.kind} ${view.incoming.name}`} className={ui['line']}>
              <Checkbox
                checked={chosen.has(view)}
                disabled={view.is === 'same' || view.is === 'bad-filter'}
                label={view.incoming.name}
                description={`${KIND_NAMES[view.incoming.view.kind].many} · ${texts.is[view.is]}`}
                onChange={() => setChosen(toggled(chosen, view))}
              />
              {view.incoming.view.filter !== '' && <code className={ui['quiet']}>{view.incoming.view.filter}</code>}
            </li>
          ))}
        </ul>
      )}
      <FilePicker
        ref={picker}
        accept=".json"
        aria-label={texts.pick}
        onPick={([file]) => file !== undefined && void read(file)}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={dismiss}>{appTexts.close}</Button>
        <Button data-autofocus onClick={() => picker.current?.click()}>
          {texts.pick}
        </Button>
        {found !== null && (
          <Button variant="filled" disabled={chosen.size === 0} loading={busy} onClick={() => void during(take())}>
            {texts.take(chosen.size)}
          </Button>
        )}
      </Group>
    </>
  );
}
