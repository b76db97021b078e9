import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  type ModalProps,
  type NotificationProps,
} from '@mantine/core';
import { appTexts } from '../app/texts.ts';

/** Blue-grey steps from text to window ground; Mantine's dark scheme and the grid share them. */
const ink: MantineColorsTuple = [
  '#d5dae1',
  '#b4bcc7',
  '#a6adb5',
  '#6d7885',
  '#48525f',
  '#343c47',
  '#262d36',
  '#1b2129',
  '#151a21',
  '#0f1319',
];

/** Named by their types alone: the code of both comes when the first of them is shown. */
const MODAL: Partial<ModalProps> = {
  closeButtonProps: { 'aria-label': appTexts.close },
  // The page itself never scrolls, and locking it would insert a style element that the content policy refuses.
  lockScroll: false,
  transitionProps: { duration: 100 },
  centered: false,
};
const NOTIFICATION: Partial<NotificationProps> = { closeButtonProps: { 'aria-label': appTexts.close } };

/** The same for inputs. */
const SMALL = { defaultProps: { size: 'xs' } };

/**
 * Compact desktop look. The variables it yields are written out in `theme-variables.css`, because a strict
 * content policy leaves no room for a style element made at run time; a test holds the two together.
 */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 4,
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '16px' },
  colors: { dark: ink },
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif" },
  components: {
    Button: Button.extend({ defaultProps: { size: 'compact-sm', variant: 'default' } }),
    Modal: { defaultProps: MODAL },
    Menu: Menu.extend({
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
        // Within the main landmark, where a screen reader looks for it; fixed, so that nothing there cuts it off.
        portalProps: { target: 'main' },
        floatingStrategy: 'fixed',
      },
    }),
    Notification: { defaultProps: NOTIFICATION },
    Checkbox: SMALL,
    NativeSelect: SMALL,
    PasswordInput: SMALL,
    Radio: SMALL,
    SegmentedControl: SMALL,
  },
});

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59626d',
    '--mantine-color-placeholder': '#6b7480',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-text': '#1a2027',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#ccd2da',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb5',
    '--mantine-color-placeholder': '#9aa4b0',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-text': '#d5dae1',
    '--mantine-color-body': '#1b2129',
    '--mantine-color-default-border': '#3b4450',
  },
});
