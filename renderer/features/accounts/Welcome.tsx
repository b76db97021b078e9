import { Button } from '@mantine/core';
import { IconPlugConnected, IconSchool } from '@tabler/icons-react';
import { useAppContext } from '../../app/app-context.ts';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './accounts.module.css';

const texts = {
  title: 'Welcome to Adslate',
  lead: 'Create and edit campaigns offline. Adslate checks every rule as you type and syncs your changes when you are ready.',
  practiceTitle: 'Try it with a practice account',
  practiceText: 'A simulated ad service inside Adslate. Nothing leaves this computer, so you can try anything.',
  practiceButton: 'Open practice account',
  connectTitle: 'Connect an account',
  connectText: 'You need your advertiser ID, consumer ID, private key file and access token file.',
  connectButton: 'Connect account',
  offline: 'Works offline. Your edits are saved as you type.',
} as const;

/** The first thing a newcomer sees: two ways to begin, one of them without any credentials. */
export function Welcome({ onPractice }: { readonly onPractice: () => Promise<unknown> }) {
  const { store } = useAppContext();
  const [busy, during] = useBusy();
  const begin = async (): Promise<void> => {
    await during(onPractice());
  };
  return (
    <main className={ui['page']}>
      <div className={styles['welcome']}>
        <h1>{texts.title}</h1>
        <p className={styles['welcome-lead']}>{texts.lead}</p>
        <div className={styles['welcome-ways']}>
          <section className={styles['way']}>
            <IconSchool size={28} stroke={1.5} aria-hidden="true" />
            <h2>{texts.practiceTitle}</h2>
            <p>{texts.practiceText}</p>
            <Button variant="filled" size="sm" loading={busy} onClick={() => void begin()}>
              {texts.practiceButton}
            </Button>
          </section>
          <section className={styles['way']}>
            <IconPlugConnected size={28} stroke={1.5} aria-hidden="true" />
            <h2>{texts.connectTitle}</h2>
            <p>{texts.connectText}</p>
            <Button size="sm" onClick={() => store.getState().show({ name: 'connect' })}>
              {texts.connectButton}
            </Button>
          </section>
        </div>
        <p className={ui['quiet']}>{texts.offline}</p>
      </div>
    </main>
  );
}
