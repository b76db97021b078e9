/**
 * What the program's symbol offers at the right mouse button: the jump list of Windows, the dock of a Mac.
 * Each opens a form or a list in the window, which anybody may ask for; nothing is written or sent by it.
 */
export const TASKS = {
  'campaign.new-video': 'New video campaign',
  'campaign.new-sba': 'New SBA campaign',
  'campaign.new-auto': 'New automatic campaign',
  'campaign.new-manual': 'New manual campaign',
  'sync.plan': 'Show what would be sent',
} as const;
export type TaskId = keyof typeof TASKS;

const isTask = (id: string): id is TaskId => Object.hasOwn(TASKS, id);
const SWITCH = '--task=';

export const taskWord = (id: TaskId): string => `${SWITCH}${id}`;

/** The task among the words of a start: the last word alone is looked at, and it is one of the list or nothing. */
export function taskInWords(words: readonly string[]): TaskId | null {
  const word = words.at(-1) ?? '';
  const id = word.startsWith(SWITCH) ? word.slice(SWITCH.length) : '';
  return isTask(id) ? id : null;
}

/** As much of Electron as shows them. */
export interface TaskPorts {
  readonly platform: NodeJS.Platform;
  readonly setUserTasks: (tasks: readonly UserTask[]) => unknown;
  readonly setDockMenu: (entries: readonly { readonly label: string; readonly click: () => void }[]) => void;
  /** What a click in the dock does; elsewhere the program is started again with the word of the task. */
  readonly run: (id: TaskId) => void;
}

interface UserTask {
  readonly program: string;
  readonly arguments: string;
  readonly title: string;
  readonly description: string;
  readonly iconPath: string;
  readonly iconIndex: number;
}

/** On Linux nothing: there such entries belong to the package, which does not know where it will lie. */
export function showTasks(ports: TaskPorts, program: string): void {
  const ids = Object.keys(TASKS).filter(isTask);
  if (ports.platform === 'win32') {
    ports.setUserTasks(
      ids.map((id) => {
        const title = TASKS[id];
        return { program, arguments: taskWord(id), title, description: title, iconPath: program, iconIndex: 0 };
      }),
    );
  }
  if (ports.platform === 'darwin')
    ports.setDockMenu(ids.map((id) => ({ label: TASKS[id], click: () => ports.run(id) })));
}
