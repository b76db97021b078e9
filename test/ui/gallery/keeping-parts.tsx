import { BackupsDialog } from '../../../renderer/screens/backups/BackupsDialog.tsx';
import { OpeningNotes } from '../../../renderer/screens/backups/OpeningNotes.tsx';
import { RestorePanel } from '../../../renderer/screens/backups/RestorePanel.tsx';
import { RestoreParts } from '../../../renderer/screens/backups/RestoreParts.tsx';
import { RuleForm } from '../../../renderer/screens/rules/RuleForm.tsx';
import { RuleList } from '../../../renderer/screens/rules/RuleList.tsx';
import { RulesDialog } from '../../../renderer/screens/rules/RulesDialog.tsx';
import { TakeIn } from '../../../renderer/screens/rules/TakeIn.tsx';
import type { Backup, OpeningNote, RestorePreview } from '../../../shared/contract/backups.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const REASONS: Readonly<Record<Backup['reason'], true>> = {
  timed: true,
  'before-import': true,
  'before-sync': true,
  'before-restore': true,
  'before-schema': true,
  'by-hand': true,
};
const WHATS: Readonly<Record<OpeningNote['what'], true>> = {
  'restored-after-damage': true,
  restored: true,
  salvaged: true,
  'view-only': true,
  'older-state': true,
  'other-file': true,
  copied: true,
};
const BACKUP: Backup = { backupId: 'by-hand', reason: 'by-hand', at: NOON, bytes: 2_400_000 };
const list = os.backups.list.handler(() =>
  Object.keys(REASONS).map((reason, i) => ({
    ...BACKUP,
    backupId: reason,
    reason: reason as Backup['reason'],
    at: NOON - i * 3_600_000,
  })),
);
const condition = (what: OpeningNote['what']) =>
  os.backups.condition.handler(() => ({
    writable: true,
    notes: [{ what, detail: '', backupAt: NOON, setAside: 'set-aside/workspace.db' }],
  }));
const notes = <OpeningNotes workspaceId={WORKSPACE} />;
const backups = <BackupsDialog workspaceId={WORKSPACE} />;

const PREVIEW: RestorePreview = {
  backupId: BACKUP.backupId,
  at: NOON,
  kinds: [{ kind: 'keyword', comingBack: 3, going: 1, changing: 2 }],
  examples: [{ kind: 'keyword', id: 7, label: 'kettle', what: 'comes-back' }],
  campaigns: [{ campaignId: asRowId(1), name: 'Kettles', rows: 3 }],
  moreCampaigns: 2,
  moment: 12,
};
const restore = <RestorePanel workspaceId={WORKSPACE} backup={BACKUP} onBack={() => {}} onDone={() => {}} />;
const compared = (preview: RestorePreview) =>
  staged({ answers: { backups: { preview: os.backups.preview.handler(() => preview) } } }, restore);

const RULE = {
  id: 'dear',
  name: 'Dear keywords',
  kind: 'keyword',
  severity: 'warning',
  query: 'bid>1.70',
  enabled: true,
  problem: null,
} as const;
const RULES = [
  RULE,
  { ...RULE, id: 'off', name: 'Old names', enabled: false },
  { ...RULE, id: 'bad', name: 'Broken', problem: 'No field of this name.' },
];
const rules = <RulesDialog workspaceId={WORKSPACE} />;
const ruleList = (handler: typeof RULES) => ({
  answers: { rules: { list: os.rules.list.handler(() => [...handler]) } },
});

/** Ways back, and rules of the user's own. */
export const KEEPING_PARTS: readonly Part[] = [
  {
    name: 'BackupsDialog',
    isWide: true,
    states: {
      none: staged({}, backups),
      'one of each': staged({ answers: { backups: { list } } }, backups),
      reading: staged({ answers: { backups: { list: os.backups.list.handler(never) } } }, backups),
    },
  },
  {
    name: 'OpeningNotes',
    states: each(WHATS, (what) => staged({ answers: { backups: { condition: condition(what) } } }, notes)),
  },
  {
    name: 'RestorePanel',
    states: {
      comparing: staged({ answers: { backups: { preview: os.backups.preview.handler(never) } } }, restore),
      'would change rows': compared(PREVIEW),
      'would change nothing': compared({ ...PREVIEW, kinds: [], examples: [], campaigns: [] }),
      gone: staged({}, restore),
    },
  },
  {
    name: 'RestoreParts',
    states: {
      'one and more': staged({}, <RestoreParts preview={PREVIEW} />),
      'history too short': staged({}, <RestoreParts preview={{ ...PREVIEW, moment: null }} />),
    },
  },
  { name: 'RulesDialog', isWide: true, states: { none: staged({}, rules), some: staged(ruleList(RULES), rules) } },
  {
    name: 'RuleList',
    isWide: true,
    states: { some: staged({}, <RuleList workspaceId={WORKSPACE} rules={RULES} onEdit={() => {}} />) },
  },
  {
    name: 'RuleForm',
    isWide: true,
    states: {
      new: staged(
        {},
        <RuleForm workspaceId={WORKSPACE} rule={{ ...RULE, id: '', name: '', query: '' }} onDone={() => {}} />,
      ),
      known: staged({}, <RuleForm workspaceId={WORKSPACE} rule={RULE} onDone={() => {}} />),
      'cannot be read': staged(
        {},
        <RuleForm workspaceId={WORKSPACE} rule={{ ...RULE, query: 'bid>>' }} onDone={() => {}} />,
      ),
    },
  },
  { name: 'TakeIn', isWide: true, states: { empty: staged({}, <TakeIn onDone={() => {}} />) } },
];
