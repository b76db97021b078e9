import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi, useAppContext } from '../../app/app-context.ts';
import ui from '../../components/ui.module.css';
import { credentialsTexts, Unlock } from './CredentialsSection.tsx';

/** Asks for the passphrase of locked credentials. Without locked ones, it opens their section of the settings. */
export function UnlockDialog() {
  const status = useQuery(useApi().credentials.status.queryOptions()).data;
  const { dismiss, openSettings } = useAppContext().store.getState();
  const isLocked = status?.state === 'locked';
  const isElse = status !== undefined && !isLocked;
  useEffect(() => {
    if (!isElse) return;
    dismiss();
    openSettings('credentials');
  }, [isElse, dismiss, openSettings]);
  return (
    <Modal opened={isLocked} onClose={dismiss} title={credentialsTexts.unlockTitle} size="sm">
      <p className={ui['quiet']}>{credentialsTexts.locked}</p>
      <Unlock onDone={dismiss} />
    </Modal>
  );
}
