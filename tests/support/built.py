"""A page as a build leaves it: a script that a test gives as the build, to be run in the folder of the checkout."""

BUILD = """
import os, pathlib
assets = pathlib.Path(".web/build/client/assets")
assets.mkdir(parents=True, exist_ok=True)
(assets / "reflex-env-x.js").write_text("e={PING:`" + os.environ["REFLEX_API_URL"] + "/ping`}")
(assets / "manifest-x.js").write_text('m={"routes":{"t":{"path":"t/:thread","module":"/t.js","imports":[]}}};')
(assets.parent / "index.html").write_text("<html>")
for name in ("404.html", "__spa-fallback.html"):
    (assets.parent / name).write_text('<link rel="modulepreload" href="/root.js"/>')
"""
