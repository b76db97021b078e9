import { Button } from '@mantine/core';
import { IconPlugConnected, IconSchool } from '@tabler/icons-react';
import { useState } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { en } from '../../texts/en.ts';

/** The first thing a newcomer sees: two ways to begin, one of them without any credentials. */
export function Welcome({ onPractice }: { readonly onPractice: () => Promise<unknown> }) {
  const { store } = useAppContext();
  const [busy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    await onPractice();
    setBusy(false);
  };
  return (
    <main className="page">
      <div className="welcome">
        <h1>{en.welcome.title}</h1>
        <p className="welcome-lead">{en.welcome.lead}</p>
        <div className="welcome-ways">
          <section className="way">
            <IconSchool size={28} stroke={1.5} aria-hidden="true" />
            <h2>{en.welcome.practiceTitle}</h2>
            <p>{en.welcome.practiceText}</p>
            <Button variant="filled" size="sm" loading={busy} onClick={() => void begin()}>
              {en.welcome.practiceButton}
            </Button>
          </section>
          <section className="way">
            <IconPlugConnected size={28} stroke={1.5} aria-hidden="true" />
            <h2>{en.welcome.connectTitle}</h2>
            <p>{en.welcome.connectText}</p>
            <Button size="sm" onClick={() => store.getState().show({ name: 'connect' })}>
              {en.welcome.connectButton}
            </Button>
          </section>
        </div>
        <p className="quiet">{en.welcome.offline}</p>
      </div>
    </main>
  );
}
