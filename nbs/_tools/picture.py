"""Draw nbs/images/tree_view.png, how README.md shows the page of a tree, in Chromium: python nbs/_tools/picture.py"""
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import Browser, installed
from nbdev.config import get_config
from PIL import Image
from sklearn.datasets import load_wine

from omnivar import OmnivariateTreeClassifier, tree_view

if not (chromium := installed()): raise SystemExit("there is no Chromium here")
X, y = load_wine(return_X_y=True, as_frame=True)
model = OmnivariateTreeClassifier(leaf_model=None).fit(X, y)
with TemporaryDirectory() as folder, Browser(chromium) as browser:
    page = Path(folder, "tree.html")
    tree_view(model, X, y).save(page)
    tab = browser.tab()
    tab.call("Emulation.setDeviceMetricsOverride", width=1150, height=700, deviceScaleFactor=1, mobile=False)
    tab.open(page.as_uri())
    picture = tab.call("Page.captureScreenshot", clip=dict(x=0, y=0, width=1150, height=700, scale=1))
few = Image.open(BytesIO(b64decode(picture["data"]))).convert("RGB").quantize(64) # a third of the size
few.save(get_config().nbs_path / "images/tree_view.png", optimize=True)
