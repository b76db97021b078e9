import { Button } from '@mantine/core';
import {
  IconAdjustments,
  IconArchive,
  IconBell,
  IconClock,
  IconDatabase,
  IconFolderDown,
  IconGitMerge,
  IconHash,
  IconId,
  IconInfoCircle,
  IconKey,
  IconKeyboard,
  IconListCheck,
  IconPalette,
  IconRefresh,
  IconSend,
  IconShieldCheck,
  IconTool,
  IconUsersGroup,
} from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import {
  FINDABLE,
  groupTexts,
  isOffered,
  SECTIONS,
  type SettingsGroup,
  type SettingsSection,
  sectionTexts,
} from '../../app/settings-list.ts';
import { useAccount } from '../../app/shared-queries.ts';
import { SearchBox } from '../../components/SearchBox.tsx';
import { AboutSection } from './AboutSection.tsx';
import { ConflictsSection, DeploymentSection, StorageSection, SyncModeSection } from './AccountSections.tsx';
import { BackupsSection } from './BackupsSection.tsx';
import { CampaignIdsSection } from './CampaignIdsSection.tsx';
import { AppearanceSection, FormatsSection, NotificationsSection, ShortcutsSection } from './ComputerSections.tsx';
import { CredentialsSection } from './CredentialsSection.tsx';
import { DataSafetySection } from './DataSafetySection.tsx';
import { ItemIdsSection } from './ItemIdsSection.tsx';
import { PracticeSection } from './PracticeSection.tsx';
import { RefreshSection } from './RefreshSection.tsx';
import { RulesSection } from './RulesSection.tsx';
import styles from './settings.module.css';
import { WatchedFolderSection } from './WatchedFolderSection.tsx';

const texts = {
  find: 'Find a setting',
  sections: 'Sections',
  found: 'Settings found',
  none: 'No matching settings.',
  back: 'Close settings',
} as const;

const ICONS: Readonly<Record<SettingsSection, typeof IconBell>> = {
  appearance: IconPalette,
  formats: IconHash,
  notifications: IconBell,
  shortcuts: IconKeyboard,
  'sync-mode': IconSend,
  conflicts: IconGitMerge,
  rules: IconListCheck,
  'watched-folder': IconFolderDown,
  team: IconUsersGroup,
  credentials: IconKey,
  deployment: IconAdjustments,
  practice: IconClock,
  'data-safety': IconShieldCheck,
  backups: IconArchive,
  storage: IconDatabase,
  'campaign-ids': IconId,
  'item-ids': IconTool,
  refresh: IconRefresh,
  about: IconInfoCircle,
};

const COMPUTER: Partial<Record<SettingsSection, ComponentType>> = {
  appearance: AppearanceSection,
  formats: FormatsSection,
  notifications: NotificationsSection,
  shortcuts: ShortcutsSection,
  credentials: CredentialsSection,
  about: AboutSection,
};

type AccountSection = ComponentType<{ readonly account: Account; readonly workspaceId: string }>;

const OF_ACCOUNT: Partial<Record<SettingsSection, AccountSection>> = {
  'sync-mode': SyncModeSection,
  conflicts: ConflictsSection,
  rules: RulesSection,
  'watched-folder': WatchedFolderSection,
  deployment: DeploymentSection,
  practice: PracticeSection,
  'data-safety': DataSafetySection,
  backups: BackupsSection,
  storage: StorageSection,
  'campaign-ids': CampaignIdsSection,
  'item-ids': ItemIdsSection,
  refresh: RefreshSection,
};

/** Sections with tables, which need more width. */
const WIDE: ReadonlySet<SettingsSection> = new Set([
  'rules',
  'watched-folder',
  'team',
  'deployment',
  'backups',
  'campaign-ids',
  'item-ids',
]);

interface SettingsProps {
  readonly workspaceId: string | null;
  /** The team of the account; not needed without an account. */
  readonly TeamSection?: AccountSection;
}

/**
 * All permanent settings on one page: sections on the left, the selected one on the right. Each change applies at once.
 * Without an account, only the sections of the computer are shown.
 */
export function SettingsScreen({ workspaceId, TeamSection }: SettingsProps) {
  const { store } = useAppContext();
  const wanted = useView((s) => s.settings);
  const [words, setWords] = useState('');
  const account = useAccount(workspaceId) ?? null;
  const heading = useRef<HTMLHeadingElement>(null);
  const section = isOffered(wanted.section, account) ? wanted.section : 'appearance';
  const typed = words.trim().toLowerCase();
  const found = FINDABLE.filter(
    (setting) => isOffered(setting.section, account) && `${setting.name} ${setting.text}`.toLowerCase().includes(typed),
  );
  const isShown = (each: SettingsSection): boolean => found.some(({ section: of }) => of === each);
  // A section opened by the palette or a link gets the focus, unless one of its settings or its form has it.
  useEffect(() => {
    if (wanted.setting !== null || heading.current?.parentElement?.querySelector('textarea:focus')) return;
    heading.current?.focus({ preventScroll: true });
  }, [wanted]);
  useEffect(() => {
    // A button that is disabled while it works leaves the focus to the body. The capture phase runs before a dialog
    // closes on the same key: with an open dialog, the page stays.
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.target !== document.body) return;
      const { dialog, closeSettings } = store.getState();
      if (dialog === null) closeSettings();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [store]);
  const open = (each: SettingsSection, setting: string | null = null): void => {
    setWords('');
    store.getState().openSettings(each, { setting });
  };
  /** Escape leads from a form to the list of its section, and from there closes the page. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const back = event.currentTarget.querySelector<HTMLElement>('[data-back]');
    if (words !== '') setWords('');
    else if (back === null) store.getState().closeSettings();
    else {
      back.click();
      heading.current?.focus({ preventScroll: true });
    }
  };
  const [name, text] = sectionTexts[section];
  const Section = COMPUTER[section];
  const OfAccount = section === 'team' ? TeamSection : OF_ACCOUNT[section];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the page from any of its controls.
    <div className={styles['settings']} onKeyDown={onKeyDown}>
      <nav className={styles['settings-nav']} aria-label={texts.sections}>
        <SearchBox label={texts.find} value={words} onChange={setWords} />
        {(Object.keys(SECTIONS) as SettingsGroup[]).map((group) => {
          const members = SECTIONS[group].filter(isShown);
          return (
            members.length > 0 && (
              <div key={group} className={styles['settings-group']}>
                <h2>{group === 'account' && account !== null ? account.name : groupTexts[group]}</h2>
                {members.map((each) => {
                  const Icon = ICONS[each];
                  return (
                    <button
                      key={each}
                      type="button"
                      aria-current={each === section ? 'page' : undefined}
                      onClick={() => open(each)}
                    >
                      <Icon size={16} stroke={1.5} aria-hidden="true" />
                      {sectionTexts[each][0]}
                    </button>
                  );
                })}
              </div>
            )
          );
        })}
        {account === null && (
          <Button className={styles['settings-back']} onClick={() => store.getState().closeSettings()}>
            {texts.back}
          </Button>
        )}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable without a mouse */}
      <div className={styles['settings-page']} tabIndex={0} role="region" aria-label={name}>
        {typed === '' ? (
          <div className={WIDE.has(section) ? styles['settings-wide'] : styles['settings-narrow']}>
            <h1 ref={heading} tabIndex={-1}>
              {name}
            </h1>
            <p className={styles['settings-lead']}>{text}</p>
            {Section !== undefined && <Section />}
            {OfAccount !== undefined && account !== null && (
              <OfAccount key={account.workspaceId} account={account} workspaceId={account.workspaceId} />
            )}
          </div>
        ) : (
          <ul className={`${styles['settings-card']} ${styles['settings-narrow']}`} aria-label={texts.found}>
            {found.map((setting) => (
              <li key={setting.id ?? setting.section}>
                <button
                  type="button"
                  className={styles['setting-found']}
                  onClick={() => open(setting.section, setting.id)}
                >
                  <span>{setting.name}</span>
                  <span>{setting.text}</span>
                </button>
              </li>
            ))}
            {found.length === 0 && <li className={styles['settings-none']}>{texts.none}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}
