/** Every style sheet of the desk, in the order in which they may override each other. */
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/wght.css';
import './ui/theme-variables.css';
import './ui/tokens.css';
import './ui/frame.css';
import './ui/welcome.css';
import './ui/inspector.css';
import './ui/drawer.css';
import './ui/long-list.css';
import './ui/sync.css';
import './ui/dialogs.css';
import './ui/reports.css';
import './ui/launch.css';
import './ui/matrix.css';
import './grid/grid.css';
