import { EventEmitter } from 'node:events';

/** What main hands to the session of a window, as the runtime would call it. */
interface Session {
  permissionRequest?: (
    contents: object,
    permission: string,
    answer: (isGranted: boolean) => void,
    details: { readonly isMainFrame: boolean; readonly requestingUrl: string },
  ) => void;
  permissionCheck?: (contents: { getURL(): string } | null, permission: string, origin: string) => boolean;
  device?: (details: object) => boolean;
  beforeRequest?: (request: { readonly url: string }, decide: (answer: { cancel: boolean }) => void) => void;
}

interface Question {
  readonly message: string;
  readonly cancelId?: number;
}

/** As much of Electron as confines a page and asks the user, for machines without its runtime. */
export function fakeDesktop() {
  const session: Session = {};
  const asked: Question[] = [];
  const opened: string[] = [];
  const desktop = {
    session,
    asked,
    opened,
    /** What the user does with a question: leaves it, or takes the button that is not the safe one. */
    answer: 'safe' as 'safe' | 'other',
    browser: 'opens' as 'opens' | 'is not there',
    module: {
      app: Object.assign(new EventEmitter(), { isPackaged: true }),
      session: {
        defaultSession: {
          setPermissionRequestHandler: (handler: Session['permissionRequest'] & object) => {
            session.permissionRequest = handler;
          },
          setPermissionCheckHandler: (handler: Session['permissionCheck'] & object) => {
            session.permissionCheck = handler;
          },
          setDevicePermissionHandler: (handler: Session['device'] & object) => {
            session.device = handler;
          },
          webRequest: {
            onBeforeRequest: (handler: Session['beforeRequest'] & object) => {
              session.beforeRequest = handler;
            },
          },
        },
      },
      shell: {
        openExternal: async (url: string) => {
          if (desktop.browser === 'is not there') throw new Error('Failed to open');
          opened.push(url);
        },
      },
      dialog: {
        showMessageBox: async (question: Question) => {
          asked.push(question);
          return { response: desktop.answer === 'safe' ? (question.cancelId ?? 0) : 1 };
        },
      },
    },
  };
  return desktop;
}
