"""The models: language model backends, embedders, and the prompts that they are given.

No backend is called unless its owner configured one. Each fulfils the model or the embedder port
and reports an absent, refusing or rambling model as a value of one closed set of errors.
"""
