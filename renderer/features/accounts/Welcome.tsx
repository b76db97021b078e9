import { Button } from '@mantine/core';
import {
  IconChevronRight,
  IconFileSpreadsheet,
  IconPlugConnected,
  IconSquarePlus,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { addPractice, openSample } from '../../app/command-handlers.ts';
import { openFiles } from '../../app/dialog-for-files.ts';
import { takeFocus } from '../../app/pane-focus.ts';
import { appTexts } from '../../app/texts.ts';
import { FilePicker } from '../../components/FilePicker.tsx';
import { Mark } from '../../components/Mark.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './accounts.module.css';
import { PRODUCTS, ProductPicture, StillOverview } from './welcome-pictures.tsx';

const texts = {
  line: 'Retail ads, edited on your computer',
  title: ['Plan it here. Check it here.', 'Send it when you are ready.'],
  lead: 'Thousands of bids, items and banners in one fast grid. Every rule is checked while you type. Nothing leaves this computer until you press Send.',
  sampleTitle: 'Start with a sample',
  sampleText: 'Six campaigns, 60 days of metrics and one mistake to find. About 3 minutes to your first sync.',
  sampleButton: 'Open a sample account',
  connect: ['Connect your account', 'Use the key file and advertiser ID from the retailer'],
  team: ['Join a team', 'Use the invitation file and six words from a colleague'],
  file: ['Open a file', 'Adslate archive, CSV or Excel'],
  empty: ['Start empty', 'A practice account with nothing in it'],
  preparing: 'Preparing the account…',
  foot: (version: string) => `Works without a network. Saved as you type. Adslate ${version}`,
} as const;

/** File types that an import reads; other files go to the media library. */
const SHEETS = '.csv,.tsv,.txt,.xlsx,.adslate,.adslate-changes';

/** The first screen without an account: a sample account in one click, and four other ways to begin. */
export function Welcome() {
  const app = useAppContext();
  const version = useQuery(useApi().app.info.queryOptions()).data?.version ?? '';
  const [busy, during] = useBusy();
  const [isSample, setSample] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  /** A file needs an account: an empty practice account is added, then the import shows its preview. */
  const open = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    await during(addPractice(app));
    if (app.store.getState().workspaceId === null) return;
    openFiles(app.store, files);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void open([...event.dataTransfer.files]);
  };
  // The pressed button is removed with this page, so the focus moves to the account's screen.
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
      });
    },
    [],
  );
  return (
    <main
      className={styles['welcome']}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      onKeyDown={stepThrough}
    >
      <div className={styles['welcome-left']}>
        <div className={styles['welcome-name']}>
          <Mark size={36} />
          <span>
            <strong>{appTexts.app}</strong>
            <span className={ui['quiet']}>{texts.line}</span>
          </span>
        </div>
        <h1>
          {texts.title[0]}
          <br />
          {texts.title[1]}
        </h1>
        <p className={styles['welcome-lead']}>{texts.lead}</p>
        <section className={styles['welcome-sample']}>
          <h2>{texts.sampleTitle}</h2>
          <p className={ui['quiet']}>{texts.sampleText}</p>
          <div className={styles['welcome-go']}>
            <Button
              variant="filled"
              className={styles['welcome-button'] ?? ''}
              ref={takeFocus}
              disabled={busy}
              loading={busy && isSample}
              onClick={() => {
                setSample(true);
                void during(openSample(app)).finally(() => setSample(false));
              }}
            >
              {texts.sampleButton}
            </Button>
            <span className={styles['welcome-products']} aria-hidden="true">
              {PRODUCTS.map((product) => (
                <ProductPicture key={product} of={product} />
              ))}
            </span>
          </div>
        </section>
        <Way
          icon={IconPlugConnected}
          text={texts.connect}
          busy={busy}
          run={() => app.store.getState().show({ name: 'connect' })}
        />
        <Way
          icon={IconUsersGroup}
          text={texts.team}
          busy={busy}
          run={() => app.store.getState().show({ name: 'join-team' })}
        />
        <Way icon={IconFileSpreadsheet} text={texts.file} busy={busy} run={() => chooser.current?.click()} />
        <Way icon={IconSquarePlus} text={texts.empty} busy={busy} run={() => void during(addPractice(app))} />
        <FilePicker ref={chooser} accept={SHEETS} aria-label={texts.file[0]} onPick={(files) => void open(files)} />
        <p className={styles['welcome-foot']} role="status">
          {busy ? texts.preparing : texts.foot(version)}
        </p>
      </div>
      <StillOverview />
    </main>
  );
}

interface WayProps {
  readonly icon: TablerIcon;
  readonly text: readonly [name: string, hint: string];
  readonly busy: boolean;
  readonly run: () => void;
}

function Way({ icon: Icon, text: [name, hint], busy, run }: WayProps) {
  return (
    <button type="button" className={styles['welcome-way']} disabled={busy} onClick={run}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <span>
        <strong>{name}</strong> <span className={ui['quiet']}>{hint}</span>
      </span>
      <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
    </button>
  );
}

/** Up and Down move between the buttons. */
function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const ways = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button')];
  const at = ways.findIndex((way) => way.matches(':focus'));
  const next = ways[Math.min(ways.length - 1, Math.max(0, at + step))];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
