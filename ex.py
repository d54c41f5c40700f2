from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    b=p.chromium.launch(executable_path='/usr/bin/chromium',args=['--no-sandbox'])
    pg=b.new_page(viewport={'width':1440,'height':900},color_scheme='light')
    pg.goto('file:///tmp/critic/page.html'); pg.wait_for_timeout(1500)
    print(pg.evaluate('''()=>{const o=[];document.querySelectorAll('h1,h2,h3,h4,details>summary,figure,section').forEach(e=>{o.push(e.tagName+'#'+(e.id||'')+'.'+(e.className.baseVal??e.className)+' | '+(e.tagName=='FIGURE'?(e.querySelector('figcaption')||{}).innerText||(e.getAttribute('aria-label')||''):e.tagName=='SECTION'?'':e.textContent.slice(0,160).replace(/\\s+/g,' ')))});return o.join('\\n')}'''))
    print(pg.evaluate('document.documentElement.scrollHeight'))
    open('/tmp/c5/dom.html','w').write(pg.content())
    b.close()
