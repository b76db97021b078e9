import { Button, Radio, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Preferences } from '../../../shared/api/app.ts';
import { isTimeOfDay, type QuietHours } from '../../../shared/model/plain-date.ts';
import { useApi, useAppContext, useViewOf } from '../../app/app-context.ts';
import { colors } from '../../app/command-handlers.ts';
import { editText } from '../../app/locale/cells.ts';
import { changeLocale } from '../../app/locale/current.ts';
import { isLocale, localeOf } from '../../app/locale/locale.ts';
import { moneyText } from '../../app/locale/numbers.ts';
import { type SettingId, settingTexts } from '../../app/settings-list.ts';
import { DENSITIES, DENSITY_NAMES } from '../../app/store/grid-slice.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { FactList } from '../../components/Figures.tsx';
import { PictureOrInitial } from '../../grid/ItemPicture.tsx';
import { SettingRow, useSettingFocus } from './SettingRow.tsx';
import styles from './settings.module.css';

const texts = {
  schemes: { system: 'System', light: 'Light', dark: 'Dark' },
  densities: { compact: 'Compact', regular: 'Regular', roomy: 'Roomy' },
  asSystem: (name: string) => `System language: ${name}`,
  preview: 'Preview',
  samples: { amount: 'Amount', count: 'Count', day: 'Date', time: 'Time', typed: 'While typing' },
  from: 'Quiet hours: from',
  to: 'Quiet hours: to',
  openKeys: 'Open shortcuts',
} as const;

const usePreferences = (): Preferences | undefined => useQuery(useApi().app.preferences.get.queryOptions()).data;

const SCHEMES = ['system', 'light', 'dark'] as const;

/** Rows of the small previews: keyword and bid in cents. */
const ROWS = [
  ['water bottle', 154],
  ['garden hose 50 ft', 259],
  ['paper napkins', 240],
] as const;
/** Inner height of a preview, in CSS pixels. */
const LOOK_PX = 84;

/** The appearance of the window on this computer. */
export function AppearanceSection() {
  const context = useCommandContext();
  const { store } = useAppContext();
  const { density, itemPictures, metricColors, motion } = useViewOf((s) => ({
    density: s.density,
    itemPictures: s.itemPictures,
    metricColors: s.metricColors,
    motion: s.motion,
  }));
  const scheme = usePreferences()?.colorScheme ?? 'system';
  const { adjustLook } = store.getState();
  return (
    <>
      <PictureChoice
        id="theme"
        choices={SCHEMES}
        names={texts.schemes}
        chosen={scheme}
        onChoose={(next) => colors(next)(context)}
        draw={(each) => (
          <span className={`${styles['look-picture']} ${styles[`scheme-${each}`]}`}>
            <span className={styles['scheme-sheet']}>
              <i />
              <i />
              <i />
            </span>
          </span>
        )}
      />
      <PictureChoice
        id="density"
        choices={DENSITY_NAMES}
        names={texts.densities}
        chosen={density}
        onChoose={(chosen) => adjustLook({ density: chosen })}
        draw={(each) => (
          <span
            className={`${styles['look-picture']} ${styles['density']}`}
            style={{ gridAutoRows: DENSITIES[each].row }}
          >
            {ROWS.slice(0, Math.floor(LOOK_PX / DENSITIES[each].row)).map(([keyword, bid]) => (
              <span key={keyword} className={styles['density-row']}>
                <PictureOrInitial url={null} name={keyword} size={DENSITIES[each].picture} />
                <span>{keyword}</span>
                <span>{moneyText(bid)}</span>
              </span>
            ))}
          </span>
        )}
      />
      <div className={styles['settings-card']}>
        <SwitchRow id="pictures" on={itemPictures} onChange={(on) => adjustLook({ itemPictures: on })} />
        <SwitchRow id="metric-colors" on={metricColors} onChange={(on) => adjustLook({ metricColors: on })} />
        <SwitchRow id="motion" on={motion} onChange={(on) => adjustLook({ motion: on })} />
      </div>
    </>
  );
}

interface PictureChoiceProps<T extends string> {
  readonly id: SettingId;
  readonly choices: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (choice: T) => void;
  readonly draw: (choice: T) => ReactNode;
}

/** Alternative looks of the window, each with a small preview. */
function PictureChoice<T extends string>({ id, choices, names, chosen, onChoose, draw }: PictureChoiceProps<T>) {
  return (
    <div ref={useSettingFocus<HTMLDivElement>(id)}>
      <Radio.Group
        label={settingTexts[id][0]}
        classNames={{ label: styles['setting-title'] ?? '' }}
        value={chosen}
        onChange={onChoose}
      >
        <div className={styles['look-cards']}>
          {choices.map((each) => (
            <Radio
              key={each}
              className={styles['look-card'] ?? ''}
              value={each}
              label={
                <>
                  <span aria-hidden="true">{draw(each)}</span>
                  {names[each]}
                </>
              }
            />
          ))}
        </div>
      </Radio.Group>
    </div>
  );
}

interface SwitchRowProps {
  readonly id: SettingId;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children?: ReactNode;
}

/** A setting with a switch, and what it needs before it. */
const SwitchRow = ({ id, on, onChange, children }: SwitchRowProps) => (
  <SettingRow id={id}>
    {children}
    <Switch aria-label={settingTexts[id][0]} checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
  </SettingRow>
);

const CENTS = 123_456_78;
const COUNT = 1_234_567;
const DAY = '2030-05-04';
const MOMENT = Date.parse(`${DAY}T15:30:00`);

/** The language for the format of numbers and dates, with a preview. */
export function FormatsSection() {
  const { store, actions } = useAppContext();
  const wanted = usePreferences()?.locale ?? null;
  const by = localeOf(tagOf(wanted));
  const samples: Readonly<Record<keyof typeof texts.samples, string>> = {
    amount: by.money(CENTS),
    count: by.count(COUNT),
    day: by.day(DAY),
    time: by.moment(MOMENT),
    typed: editText('campaign', 'totalBudget', CENTS, by),
  };
  const choose = (locale: string | null): void => {
    // The whole window is rendered again in the new format, so the focus is set again.
    store.getState().openSettings('formats', { setting: 'format' });
    void actions.remember({ locale });
    changeLocale(tagOf(locale));
  };
  return (
    <>
      <div className={styles['settings-card']}>
        <SettingRow id="format">
          <ChoiceField
            aria-label={settingTexts.format[0]}
            options={[
              [null, texts.asSystem(localeName(navigator.language))],
              ...LOCALES.map((each) => [each, localeName(each)] as const),
            ]}
            value={wanted}
            onChoose={choose}
          />
        </SettingRow>
      </div>
      <h2>{texts.preview}</h2>
      <FactList
        className={`${styles['settings-card']} ${styles['locale-samples']}`}
        isNumeric
        facts={Object.entries(texts.samples).map(([name, title]) => [title, samples[name as keyof typeof samples]])}
      />
    </>
  );
}

const tagOf = (locale: string | null): string => (locale !== null && isLocale(locale) ? locale : navigator.language);

/** Languages with the common number formats; the system's may be another one. */
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

const NIGHT: QuietHours = { from: '20:00', to: '07:00' };

/** Quiet hours of system notifications, for all accounts on this computer. */
export function NotificationsSection() {
  const { actions } = useAppContext();
  const preferences = usePreferences();
  const quietHours = preferences?.quietHours ?? null;
  const keep = (hours: QuietHours | null): void => void actions.remember({ quietHours: hours });
  const time = (end: 'from' | 'to', hours: QuietHours) => (
    <TextInput
      size="xs"
      type="time"
      aria-label={texts[end]}
      key={hours[end]}
      defaultValue={hours[end]}
      onBlur={({ currentTarget }) => {
        const { value } = currentTarget;
        // A time that was cleared or typed in part is not stored, so the stored one is shown again.
        if (!isTimeOfDay(value)) currentTarget.value = hours[end];
        else if (value !== hours[end]) keep({ ...hours, [end]: value });
      }}
    />
  );
  return (
    <div className={styles['settings-card']}>
      <SwitchRow
        id="alert-notices"
        on={preferences?.alertNotices ?? true}
        onChange={(on) => void actions.remember({ alertNotices: on })}
      />
      <SwitchRow id="quiet-hours" on={quietHours !== null} onChange={(on) => keep(on ? NIGHT : null)}>
        {quietHours !== null && (
          <span className={styles['quiet-hours']}>
            {time('from', quietHours)}
            <span aria-hidden="true">–</span>
            {time('to', quietHours)}
          </span>
        )}
      </SwitchRow>
    </div>
  );
}

/** Opens the list of shortcuts, which is a dialog because its shortcut opens it over any page. */
export function ShortcutsSection() {
  const { store } = useAppContext();
  return (
    <div className={styles['settings-card']}>
      <SettingRow id="keys">
        <Button onClick={() => store.getState().show({ name: 'shortcuts' })}>{texts.openKeys}</Button>
      </SettingRow>
    </div>
  );
}
