import { Button, Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { saveText } from '../../app/save-text.ts';
import { settingTexts } from '../../app/settings-list.ts';
import { Mark } from '../../components/Mark.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { SettingRow } from './SettingRow.tsx';
import styles from './settings.module.css';

const texts = {
  versions: {
    version: 'Adslate',
    electron: 'Electron',
    node: 'Node',
    sqlite: 'SQLite',
    platform: 'Operating system',
  },
  webHost: 'Not used: Adslate runs in your browser',
  newer: (version: string) => `Adslate ${version} is available.`,
  newerLink: 'Release notes and download',
  tabs: { support: 'Diagnostics', reliability: 'Reliability', licences: 'Licenses' },
  support:
    'Diagnostic report for support: versions and recent log entries, without names, file paths or credentials. Adslate never sends it; you decide whether to share it.',
  save: 'Save report',
  notBuilt: 'This build does not include the text. Run "npm run package" to create a build that does.',
  reading: 'Loading…',
  signOut: 'Sign out',
  signOutFailed: "Couldn't sign out: Adslate is not responding. Close this window to be safe.",
} as const;

const ROWS = ['version', 'electron', 'node', 'sqlite', 'platform'] as const;
type Tab = keyof typeof texts.tabs;

/** Versions, the text for somebody who helps (shown before it is saved), what long runs came to, licences. */
export function AboutSection() {
  const [tab, setTab] = useState<Tab>('support');
  const info = useQuery(useApi().app.info.queryOptions()).data;
  return (
    <>
      <Mark size={36} />
      {info !== undefined && (
        <dl className={styles['about-versions']}>
          {ROWS.map((name) => (
            <div key={name}>
              <dt>{texts.versions[name]}</dt>
              <dd className={ui['numeric']}>{info[name] ?? texts.webHost}</dd>
            </div>
          ))}
        </dl>
      )}
      <Newer />
      <Tabs value={tab} onChange={(next) => next !== null && setTab(next as Tab)} keepMounted={false}>
        <Tabs.List>
          {Object.entries(texts.tabs).map(([name, text]) => (
            <Tabs.Tab key={name} value={name}>
              {text}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="support">
          <Support />
        </Tabs.Panel>
        <Tabs.Panel value="reliability">
          <Brought what="reliability" />
        </Tabs.Panel>
        <Tabs.Panel value="licences">
          <Brought what="licences" />
        </Tabs.Panel>
      </Tabs>
      <SignOut />
    </>
  );
}

/** Only that there is one, and where: the program replaces nothing of itself. */
function Newer() {
  const newer = useQuery(useApi().app.checkForUpdate.queryOptions()).data;
  if (newer?.state !== 'newer') return null;
  return (
    <p className={styles['about-note']} role="status">
      {texts.newer(newer.version)}{' '}
      <a href={newer.url} target="_blank" rel="noreferrer">
        {texts.newerLink}
      </a>
    </p>
  );
}

/** A long text to read; it can be reached and scrolled with the keyboard. */
function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable without a mouse
    <section className={styles['about-text']} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

function Support() {
  const support = useQuery(useApi().app.support.queryOptions()).data;
  if (support === undefined) return <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.reading}</p>;
  return (
    <>
      <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.support}</p>
      <Text label={texts.tabs.support} text={support.text} />
      <Group justify="flex-end" mt="xs">
        <Button onClick={() => saveText(support.fileName, support.text, 'text/plain')}>{texts.save}</Button>
      </Group>
    </>
  );
}

function Brought({ what }: { readonly what: 'reliability' | 'licences' }) {
  const brought = useQuery(useApi().app.about.queryOptions()).data;
  if (brought === undefined) return <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.reading}</p>;
  const text = brought[what];
  return text === null ? (
    <p className={`${ui['quiet']} ${styles['about-note']}`}>{texts.notBuilt}</p>
  ) : (
    <Text label={texts.tabs[what]} text={text} />
  );
}

/** Only a window in a browser is signed in at all. */
function SignOut() {
  const { connection, notes } = useAppContext();
  const { signOut } = connection;
  const [busy, during] = useBusy();
  if (signOut === undefined) return null;
  const run = async (): Promise<void> => {
    if (!(await during(signOut()))) notes.fail(texts.signOutFailed);
  };
  return (
    <div className={styles['settings-card']}>
      <SettingRow id="sign-out">
        <Button loading={busy} aria-label={settingTexts['sign-out'][0]} onClick={() => void run()}>
          {texts.signOut}
        </Button>
      </SettingRow>
    </div>
  );
}
