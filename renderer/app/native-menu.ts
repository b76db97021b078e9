import type { WindowMenu } from '../../shared/api/app.ts';
import { MENU_PLACES } from '../../shared/api/choices.ts';
import type { CommandContext } from './app-context.ts';
import { COMMANDS, type CommandId } from './commands.ts';
import { keysOf } from './shortcuts.ts';
import { menuTexts } from './texts.ts';

type Area = CommandId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;
type Place = (typeof MENU_PLACES)[number];

/** The menu of each area. Areas in one menu keep this order, with a separator between them. */
const PLACES: Readonly<Record<Area, Place>> = {
  sheet: 'file',
  storyboard: 'file',
  archive: 'file',
  changes: 'file',
  media: 'file',
  account: 'file',
  edit: 'edit',
  cells: 'edit',
  rows: 'edit',
  bulk: 'edit',
  view: 'view',
  period: 'view',
  go: 'view',
  column: 'view',
  pane: 'view',
  tab: 'view',
  theme: 'view',
  locale: 'view',
  campaign: 'campaign',
  items: 'campaign',
  launch: 'campaign',
  reports: 'campaign',
  sync: 'sync',
  review: 'sync',
  team: 'sync',
  practice: 'sync',
  help: 'help',
  app: 'help',
};

const areaOf = (id: CommandId): Area => (id.split('.')[0] ?? '') as Area;

export const placeOf = (id: CommandId): Place => PLACES[areaOf(id)];

/** The command table as the system's menu, with the user's shortcuts and the commands enabled at the moment. */
export function nativeMenu(context: CommandContext): WindowMenu {
  const { keys, dialog } = context.app.store.getState();
  const commandsOf = (area: string): WindowMenu['sections'][number]['groups'][number] =>
    COMMANDS.filter(({ id }) => areaOf(id) === area).map((command) => ({
      id: command.id,
      title: command.title,
      keys: keysOf(command, keys) ?? command.gridKey ?? null,
      // No command runs while a dialog is open, as with shortcuts.
      enabled: dialog === null && command.when(context),
    }));
  return {
    sections: MENU_PLACES.map((place) => ({
      place,
      title: menuTexts[place],
      groups: Object.entries(PLACES).flatMap(([area, where]) => (where === place ? [commandsOf(area)] : [])),
    })),
  };
}
