import { Button, Group, Modal, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { editText, shownCell } from '../../app/locale/cells.ts';
import { changeLocale } from '../../app/locale/current.ts';
import { isLocale, localeOf } from '../../app/locale/locale.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import styles from './settings.module.css';

const texts = {
  use: 'Apply',
  title: 'Number and date format',
  label: 'Number and date format',
  asSystem: (name: string) => `System language (${name})`,
  text: 'Applies to what you see and type. Words stay in English, and files always use 1234.56 and 2030-05-04.',
  preview: 'Preview',
  samples: { amount: 'Amount', count: 'Count', day: 'Date', time: 'Time', typed: 'While typing' },
} as const;

const CENTS = 123_456_78;
const COUNT = 1_234_567;
const DAY = '2030-05-04';
const MOMENT = Date.parse(`${DAY}T15:30:00`);

/** In which language numbers and dates are written and typed, with a look at it before it is in use. */
export function LocaleDialog() {
  const { store, actions } = useAppContext();
  const stored = useQuery(useApi().app.preferences.get.queryOptions()).data;
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const wanted = chosen === undefined ? (stored?.locale ?? null) : chosen;
  const tag = wanted !== null && isLocale(wanted) ? wanted : navigator.language;
  const by = localeOf(tag);
  const use = (): void => {
    changeLocale(tag);
    void actions.remember({ locale: wanted });
    store.getState().dismiss();
  };
  const samples: Readonly<Record<keyof typeof texts.samples, string>> = {
    amount: shownCell('campaign', 'totalBudget', CENTS, by),
    count: by.count(COUNT),
    day: by.day(DAY),
    time: by.moment(MOMENT),
    typed: editText('campaign', 'totalBudget', CENTS, by),
  };
  return (
    <Modal opened onClose={store.getState().dismiss} title={texts.title} size="md">
      <NativeSelect
        data-autofocus
        label={texts.label}
        value={wanted ?? ''}
        onChange={(event) => setChosen(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        data={[
          { value: '', label: texts.asSystem(localeName(navigator.language)) },
          ...LOCALES.map((value) => ({ value, label: localeName(value) })),
        ]}
      />
      <h3 className={ui['group-title']}>{texts.preview}</h3>
      <dl className={styles['locale-samples']}>
        {Object.entries(texts.samples).map(([name, title]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd className={ui['numeric']}>{samples[name as keyof typeof samples]}</dd>
          </div>
        ))}
      </dl>
      <p className={ui['quiet']}>{texts.text}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={store.getState().dismiss}>{appTexts.close}</Button>
        <Button variant="filled" onClick={use}>
          {texts.use}
        </Button>
      </Group>
    </Modal>
  );
}

/** Languages to choose from, one for each way of writing numbers that is common; the system's may be any other. */
const LOCALES = [
  'en-US',
  'en-GB',
  'en-CA',
  'en-IN',
  'de-DE',
  'de-CH',
  'es-ES',
  'es-MX',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'sv-SE',
  'ar-EG',
] as const;

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** `de-DE` as `German (Germany)`. */
const localeName = (tag: string): string => names.of(tag) ?? tag;
