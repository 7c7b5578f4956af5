/** The page's first breath: the theme, the session, the view. */
import { h, render } from 'preact'
import { experimentOf } from './model/experiment.ts'
import { Session } from './model/session.ts'
import { compileScheme } from './own/compile.ts'
import { App } from './view/app.ts'
import { keepFocus } from './view/keep-focus.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = (): void => {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light'
  dispatchEvent(new Event('weir-theme'))
}
follow()
dark.addEventListener('change', follow)

const session = new Session(experimentOf('incast'), compileScheme)
addEventListener('weir-theme', () => session.changed())

keepFocus()

const root = document.getElementById('lab')
if (root !== null) {
  root.textContent = ''
  render(h(App, { session }), root)
}
